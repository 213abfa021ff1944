//! Serde types that take any shape: what does not fit is the type's empty value, never an error.
//!
//! Objects come from hand-written files as often as from an API server, and a scalar where a list belongs must not cost
//! the whole pod. Text is borrowed from the input where it can be.

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// The most elements kept of one list of an object.
const MOST: usize = 4096;

/// At most so many bytes of a text, cut between characters.
pub fn bounded(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// What a type makes of each shape; of those that it does not name, nothing.
trait Shape<'de>: Default {
    fn text(_: Cow<'de, str>) -> Self {
        Self::default()
    }
    fn seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
    fn map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

struct AnyShape<T>(PhantomData<T>);

impl<'de, T: Shape<'de>> Visitor<'de> for AnyShape<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }
    fn visit_borrowed_str<E>(self, v: &'de str) -> Result<T, E> {
        Ok(T::text(Cow::Borrowed(v)))
    }
    fn visit_str<E>(self, v: &str) -> Result<T, E> {
        Ok(T::text(Cow::Owned(v.to_owned())))
    }
    fn visit_string<E>(self, v: String) -> Result<T, E> {
        Ok(T::text(Cow::Owned(v)))
    }
    fn visit_bool<E>(self, v: bool) -> Result<T, E> {
        Ok(T::text(Cow::Borrowed(if v { "true" } else { "false" })))
    }
    fn visit_i64<E>(self, v: i64) -> Result<T, E> {
        Ok(T::text(Cow::Owned(v.to_string())))
    }
    fn visit_u64<E>(self, v: u64) -> Result<T, E> {
        Ok(T::text(Cow::Owned(v.to_string())))
    }
    fn visit_f64<E>(self, v: f64) -> Result<T, E> {
        Ok(T::text(Cow::Owned(v.to_string())))
    }
    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        T::seq(seq)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::map(map)
    }
}

fn any<'de, T: Shape<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(AnyShape(PhantomData))
}

/// A text; numbers and booleans as they are written, everything else empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text<'a>(pub Cow<'a, str>);

impl Text<'_> {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// At most 1 KiB of it: names, kinds, reasons.
    pub fn owned(&self) -> String {
        bounded(&self.0, 1024).to_owned()
    }
}

impl<'de> Shape<'de> for Text<'de> {
    fn text(v: Cow<'de, str>) -> Self {
        Self(v)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any::<Text<'de>, D>(deserializer)
    }
}

/// A number that may be written as text; everything else is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count(pub u32);

impl<'de> Shape<'de> for Count {
    fn text(v: Cow<'de, str>) -> Self {
        Self(v.parse().unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any(deserializer)
    }
}

/// A boolean that may be written as text; everything else is false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag(pub bool);

impl<'de> Shape<'de> for Flag {
    fn text(v: Cow<'de, str>) -> Self {
        Self(matches!(v.as_ref(), "true" | "yes" | "on"))
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any(deserializer)
    }
}

/// Whether a field is there at all, whatever it holds; `null` counts as absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Present(pub bool);

impl<'de> Deserialize<'de> for Present {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Option::<IgnoredAny>::deserialize(deserializer)?.is_some()))
    }
}

/// A structure; everything that is no object is its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Or<T>(pub T);

impl<'de, T: Deserialize<'de> + Default> Shape<'de> for Or<T> {
    fn map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Or)
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Or<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any(deserializer)
    }
}

/// A list; everything that is none is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Shape<'de> for List<T> {
    fn seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Self, A::Error> {
        let mut all = Vec::new();
        while all.len() < MOST {
            let Some(one) = seq.next_element()? else { return Ok(Self(all)) };
            all.push(one);
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self(all))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any(deserializer)
    }
}

/// The members of an object, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members<'a, V>(pub Vec<(Text<'a>, V)>);

impl<V> Default for Members<'_, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, V: Deserialize<'de>> Shape<'de> for Members<'de, V> {
    fn map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut all = Vec::new();
        while all.len() < MOST {
            let Some(one) = map.next_entry()? else { return Ok(Self(all)) };
            all.push(one);
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self(all))
    }
}

impl<'de: 'a, 'a, V: Deserialize<'de>> Deserialize<'de> for Members<'a, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any::<Members<'de, V>, D>(deserializer)
    }
}

/// A reference by name: an object with `name`, or a plain text, which the API does not take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named<'a> {
    pub name: Text<'a>,
    pub plain: bool,
}

impl<'de> Shape<'de> for Named<'de> {
    fn text(v: Cow<'de, str>) -> Self {
        Self { name: Text(v), plain: true }
    }
    fn map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        #[derive(Deserialize)]
        struct Reference<'b> {
            #[serde(borrow, default)]
            name: Text<'b>,
        }
        let found = Reference::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Self { name: found.name, plain: false })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Named<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any::<Named<'de>, D>(deserializer)
    }
}
