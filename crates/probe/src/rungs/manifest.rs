//! Manifest: found by HEAD and by GET alike, whole, of a known kind, and of the digest that was asked for.

use crate::credentials::Authorization;
use crate::judge::{self, About};
use crate::note::{Note, Step};
use crate::reach::{Climb, Line};
use crate::rungs::authorization::{Entered, MOST_BYTES};
use crate::rungs::http::Door;
use crate::rungs::tags;
use crate::sight;
use crate::trouble::Trouble;
use crate::wire::conversation::{Answer, Ask, End};
use facts::seen;
use formats::manifest::{self, ACCEPT, Manifest};
use formats::reference::Reference;
use vocabulary::{Cause, Stage};

/// Where manifests are asked for.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) api_path: &'a str,
    pub(crate) reference: &'a Reference<'a>,
    /// `?ns=...` for mirrors.
    pub(crate) query: &'a str,
}

impl Place<'_> {
    pub(crate) fn manifest(&self, by: &str) -> String {
        format!("{}/{}/manifests/{by}{}", self.api_path, self.reference.repository(), self.query)
    }

    pub(crate) fn blob(&self, digest: &str) -> String {
        format!("{}/{}/blobs/{digest}{}", self.api_path, self.reference.repository(), self.query)
    }
}

pub(crate) async fn climb(
    line: &mut Line,
    climb: Climb<'_>,
    place: Place<'_>,
    authorization: Option<&Authorization>,
    entered: Entered,
    door: &Door,
) -> Step<Manifest> {
    let mut note = Note::of(Stage::Manifest);
    if matches!(door.product, Some("docker-hub")) {
        note.see(seen::COUNTS_AS_PULL, "yes");
    }
    let head = entered.head;
    let get = match entered.get {
        Some(get) => get,
        None if head.status == 429 => return failed(&head, None, note),
        None => {
            let target = place.manifest(place.reference.by());
            let ask = Ask { accept: Some(ACCEPT), authorization, ..Ask::get(&target, MOST_BYTES) };
            match line.ask(climb, ask).await {
                Ok(get) => {
                    sight::see(&get, &mut note);
                    get
                }
                Err(trouble) => return note.failed(&trouble),
            }
        }
    };
    see_difference(&head, &get, &mut note);
    if get.is_success() && !head.is_success() && head.status != 405 {
        // containerd asks by HEAD and turns to GET only after 405.
        let words = format!("unexpected status from HEAD request to {}: {}", head.url, head.status_line());
        return note.failed(&Trouble::new(Stage::Manifest, Cause::RegistryHeadBlocked, words));
    }
    if !get.is_success() {
        if get.status == 404 && place.reference.digest.is_none() {
            tags::see(line, climb, place, authorization, &mut note).await;
        }
        return failed(&head, Some(&get), note);
    }
    read(&head, &get, place.reference, note)
}

fn failed(head: &Answer, get: Option<&Answer>, mut note: Note) -> Step<Manifest> {
    let deciding = get.unwrap_or(head);
    let mut trouble = judge::status(deciding, About::Manifest, Stage::Manifest);
    // The tag list knows whether the repository exists where the manifest's answer does not.
    if trouble.symptom == Cause::ManifestUnknown && note.has(seen::REPOSITORY_EXISTS, "no") {
        trouble.symptom = Cause::RepositoryUnknown;
    }
    if deciding.status == 404 && !judge::is_foreign(deciding) {
        trouble.words = format!("{}: not found", head.url);
    }
    note.see(seen::STATUS, deciding.status_line());
    note.failed(&trouble)
}

fn see_difference(head: &Answer, get: &Answer, note: &mut Note) {
    if head.status != get.status {
        note.see(seen::HEAD_STATUS, head.status_line());
        note.see(seen::GET_STATUS, get.status_line());
    }
    let digest = "docker-content-digest";
    if let (Some(a), Some(b)) = (head.header(digest), get.header(digest))
        && a != b
    {
        note.see(seen::DIGEST_EXPECTED, a);
        note.see(seen::DIGEST, b);
    }
}

fn read(head: &Answer, get: &Answer, reference: &Reference<'_>, mut note: Note) -> Step<Manifest> {
    let failed =
        |note: Note, symptom, words: String| note.failed(&Trouble::new(Stage::Manifest, symptom, words));
    note.see(seen::SIZE, get.body.len());
    match &get.end {
        End::Whole => {}
        End::More => {
            let words = format!("rejecting {}: larger than {MOST_BYTES} bytes", get.url);
            return failed(note, Cause::ManifestInvalid, words);
        }
        End::Cut(trouble) => {
            let words = format!("reading {}: {}", get.url, trouble.words);
            return failed(note, Cause::RegistryBadResponse, words);
        }
    }
    if let Some(kind) = get.header("content-type") {
        note.see(seen::MEDIA_TYPE, kind);
    }
    let digest = format!("sha256:{}", sha256(&get.body));
    note.see(seen::DIGEST, &digest);
    if let Some(size) = head.header("content-length").filter(|_| head.is_success())
        && size != get.body.len().to_string()
    {
        note.see(seen::SIZE_EXPECTED, size);
    }
    let parsed = manifest::parse(&get.body);
    // A page instead of a manifest has a digest of its own, which would only mislead.
    if judge::is_foreign(get) && matches!(parsed, Manifest::Broken(_)) {
        sight::see_body(get, &mut note);
        let words = format!(
            "failed to decode manifest of {}: invalid character '<' looking for beginning of value",
            get.url
        );
        return failed(note, Cause::RegistryBadResponse, words);
    }
    let stated = reference.digest.map(str::to_owned).or_else(|| get.header("docker-content-digest"));
    if let Some(stated) = stated.filter(|s| s.starts_with("sha256:") && *s != digest) {
        note.see(seen::DIGEST_EXPECTED, &stated);
        let words = format!(
            "failed commit on ref \"manifest-{stated}\": unexpected commit digest {digest}, expected {stated}: failed precondition"
        );
        return failed(note, Cause::BlobDigestMismatch, words);
    }
    match parsed {
        Manifest::Broken(why) => {
            failed(note, Cause::ManifestInvalid, format!("manifest of {}: {why}", get.url))
        }
        Manifest::Schema1 => {
            let words = "media type \"application/vnd.docker.distribution.manifest.v1+prettyjws\" is no longer supported since containerd v2.1, please rebuild the image as \"application/vnd.docker.distribution.manifest.v2+json\" or \"application/vnd.oci.image.manifest.v1+json\"";
            failed(note, Cause::ManifestUnsupportedType, words.to_owned())
        }
        Manifest::Other => {
            let kind = get.header("content-type").unwrap_or_default();
            failed(
                note,
                Cause::ManifestUnsupportedType,
                format!("unexpected media type {kind} for {digest}: not found"),
            )
        }
        found @ (Manifest::Index(_) | Manifest::Image(_)) => note.passed(found),
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}
