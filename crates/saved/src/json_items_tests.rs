//! Boundaries, in every layout and at every cut.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A reader that gives few bytes at a time.
struct Drip<'a>(&'a [u8], usize);

impl Read for Drip<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.1.min(buf.len()).min(self.0.len());
        buf[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

fn items(text: &str) -> (Vec<(Value, u32)>, Summary) {
    let mut found = Vec::new();
    let summary = read(Drip(text.as_bytes(), 7), 1 << 20, &mut |batch| {
        let at = lines(&batch);
        for (item, line) in batch.items.iter().zip(at) {
            found.push((serde_json::from_slice(&batch.bytes[item.clone()]).expect("an item"), line));
        }
    })
    .expect("reads");
    (found, summary)
}

#[test]
fn a_list_of_kubectl_with_its_kind_at_the_end() {
    let list = json!({"apiVersion": "v1", "items": [{"a": {"b": "}"}}, {"c": ["{", 1]}], "kind": "List", "metadata": {"continue": ""}});
    for text in [serde_json::to_string_pretty(&list).unwrap(), list.to_string()] {
        let (found, summary) = items(&text);
        let values: Vec<_> = found.iter().map(|(v, _)| v.clone()).collect();
        assert_eq!(values, [json!({"a": {"b": "}"}}), json!({"c": ["{", 1]})]);
        assert_eq!(summary.lists, [(Head { api_version: "v1".into(), kind: "List".into() }, false)]);
        assert_eq!(summary.problem, None);
    }
}

#[test]
fn a_page_says_that_there_is_more() {
    let (_, summary) =
        items(r#"{"kind":"PodList","apiVersion":"v1","metadata":{"continue":"abc"},"items":[{"a":1}]}"#);
    assert!(summary.lists[0].1);
    assert_eq!(summary.lists[0].0.kind, "PodList");
}

#[test]
fn objects_one_after_the_other_have_lines() {
    let (found, summary) = items("{\"a\":1}\n{\"b\":2}\n\n{\"c\":3}\n");
    assert_eq!(found, [(json!({"a": 1}), 1), (json!({"b": 2}), 2), (json!({"c": 3}), 4)]);
    assert_eq!(summary.items, 3);
}

#[test]
fn arrays_and_single_objects() {
    assert_eq!(items("[{\"a\":1}, 3, \"x\", {\"b\":2}]").0.len(), 2);
    assert_eq!(items("{\"items\": \"none\", \"b\": [1]}").0, [(json!({"items": "none", "b": [1]}), 1)]);
}

#[test]
fn what_is_cut_keeps_what_came_before() {
    let (found, summary) = items("{\"items\":[{\"a\":1},{\"b\":");
    assert_eq!(found.len(), 1);
    assert_eq!(summary.problem, Some((1, "ends in the middle of an object".into())));
}

#[test]
fn a_value_without_end_is_given_up() {
    let mut text = String::from("{\"items\":[{\"a\":1},{\"b\":\"");
    text.push_str(&"x".repeat(3 << 20));
    let (found, summary) = items(&text);
    assert_eq!(found.len(), 1);
    assert_eq!(summary.problem.map(|p| p.1), Some("one value is larger than is read".into()));
}

fn values() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(json!(1)), "[\"{}\\[\\]\\\\a\n ]{0,6}".prop_map(Value::from), Just(Value::Null)];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::hash_map("[a-c\"}]{1,3}", inner, 0..4)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_item_is_found_in_every_layout(all in proptest::collection::vec(values(), 0..6), pretty: bool) {
        let wanted: Vec<Value> = all.iter().filter(|v| v.is_object()).cloned().collect();
        let list = json!({"kind": "List", "items": all, "z": 1});
        let text = if pretty { serde_json::to_string_pretty(&list).unwrap() } else { list.to_string() };
        let found: Vec<Value> = items(&text).0.into_iter().map(|(v, _)| v).collect();
        prop_assert_eq!(found, wanted);
    }

    #[test]
    fn any_bytes_come_to_an_end(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(bytes.as_slice(), 1000, &mut |_| {});
    }
}

#[test]
fn logs_between_objects_are_kept_and_the_objects_behind_them_read() {
    let text = "{\"a\":1}\n==== START logs for container c of pod shop/web ====\n{ not JSON\n\nlast==== END logs for container c of pod shop/web ====\n{\"b\":2}\n";
    let (found, summary) = items(text);
    assert_eq!(found, [(json!({"a": 1}), 1), (json!({"b": 2}), 6)]);
    assert_eq!(summary.logs.len(), 1);
    assert_eq!(summary.logs[0].0, 2);
    assert!(summary.logs[0].1.contains("{ not JSON\n\nlast="), "{:?}", summary.logs);
    let (found, summary) = items("{\"a\":1}\n==== START logs for container c of pod shop/web ====\ncut off");
    assert_eq!((found.len(), summary.logs.len(), summary.problem), (1, 1, None));
}
