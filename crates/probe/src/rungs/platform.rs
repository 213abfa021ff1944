//! Platform: the index has an image for the wanted platform, or the single image is of it.

use crate::credentials::Authorization;
use crate::judge::{self, About};
use crate::note::{Note, Step};
use crate::reach::{Climb, Line};
use crate::rungs::authorization::MOST_BYTES;
use crate::rungs::blob::{self, Piece};
use crate::rungs::manifest::{Place, sha256};
use crate::sight;
use crate::trouble::Trouble;
use crate::wire::conversation::{Ask, End};
use facts::seen;
use formats::manifest::{self, ACCEPT, Child, Descriptor, Image, Manifest, Platform};
use vocabulary::{Cause, Stage};

/// The image that is pulled in the end.
pub(crate) struct Picked {
    pub(crate) image: Image,
    /// Its configuration, where it was needed here already.
    pub(crate) config: Option<Piece>,
}

pub(crate) async fn climb(
    line: &mut Line,
    climb: Climb<'_>,
    place: Place<'_>,
    authorization: Option<&Authorization>,
    manifest: Manifest,
) -> Step<Picked> {
    let mut note = Note::of(Stage::Platform);
    let wanted = &climb.request.platform;
    note.see(seen::PLATFORM_WANTED, wanted);
    match manifest {
        Manifest::Index(children) => {
            let Some(child) = choose(&children, wanted, &mut note) else { return missing(note) };
            match fetch(line, climb, place, authorization, child, &mut note).await {
                Ok(image) => note.passed(Picked { image, config: None }),
                Err(trouble) => note.failed(&trouble),
            }
        }
        Manifest::Image(image) => {
            if !climb.request.blobs || !is_image_config(&image.config) {
                return note.skipped(Picked { image, config: None });
            }
            let config = blob::fetch(line, climb, place, authorization, &image.config, None).await;
            let platform = config.body.as_deref().and_then(manifest::config_platform);
            let picked = Picked { image, config: Some(config) };
            match platform {
                // A configuration that cannot be had is the blob rung's trouble.
                None => note.skipped(picked),
                Some(platform) => {
                    note.see(seen::PLATFORM, &platform);
                    if wanted.runs(&platform) { note.passed(picked) } else { missing(note) }
                }
            }
        }
        Manifest::Schema1 | Manifest::Other | Manifest::Broken(_) => note.failed(&Trouble::new(
            Stage::Manifest,
            Cause::ManifestUnsupportedType,
            "unexpected media type: not found",
        )),
    }
}

fn missing(note: Note) -> Step<Picked> {
    let words = "no match for platform in manifest: not found";
    note.failed(&Trouble::new(Stage::Platform, Cause::ManifestPlatformMissing, words))
}

/// The most platforms of an index that are shown.
const MOST_SHOWN: usize = 60;

fn choose<'c>(children: &'c [Child], wanted: &Platform, note: &mut Note) -> Option<&'c Child> {
    let images = children.iter().filter(|c| !c.attestation);
    for platform in images.clone().filter_map(|c| c.platform.as_ref()).take(MOST_SHOWN) {
        note.see(seen::PLATFORM, platform);
    }
    let fits = |exact: bool| {
        images.clone().find(|c| {
            c.platform
                .as_ref()
                .is_some_and(|p| if exact { p.normalized() == wanted.normalized() } else { wanted.runs(p) })
        })
    };
    fits(true).or_else(|| fits(false))
}

/// Whether a configuration is an image's: artifacts have others, with no platform in them.
fn is_image_config(config: &Descriptor) -> bool {
    let kind = config.media_type.as_str();
    kind.is_empty() || kind.contains("image.config") || kind.contains("container.image.v1")
}

async fn fetch(
    line: &mut Line,
    climb: Climb<'_>,
    place: Place<'_>,
    authorization: Option<&Authorization>,
    child: &Child,
    note: &mut Note,
) -> Result<Image, Trouble> {
    let digest = &child.what.digest;
    let target = place.manifest(digest);
    let ask = Ask { accept: Some(ACCEPT), authorization, ..Ask::get(&target, MOST_BYTES) };
    let answer = line.ask(climb, ask).await?;
    sight::see(&answer, note);
    if !answer.is_success() {
        return Err(judge::status(&answer, About::Manifest, Stage::Platform));
    }
    if let End::Cut(trouble) = &answer.end {
        return Err(Trouble::new(Stage::Platform, Cause::RegistryBadResponse, trouble.words.clone())
            .asking("GET", &answer.url));
    }
    let found = format!("sha256:{}", sha256(&answer.body));
    note.see(seen::DIGEST, &found);
    if digest.starts_with("sha256:") && found != *digest {
        note.see(seen::DIGEST_EXPECTED, digest);
        let words = format!(
            "failed commit on ref \"manifest-{digest}\": unexpected commit digest {found}, expected {digest}: failed precondition"
        );
        return Err(Trouble::new(Stage::Platform, Cause::BlobDigestMismatch, words));
    }
    match manifest::parse(&answer.body) {
        Manifest::Image(image) => Ok(image),
        Manifest::Broken(why) => Err(Trouble::new(
            Stage::Platform,
            Cause::ManifestInvalid,
            format!("manifest of {}: {why}", answer.url),
        )),
        Manifest::Index(_) | Manifest::Schema1 | Manifest::Other => {
            let words = format!("unexpected media type for {digest}: not found");
            Err(Trouble::new(Stage::Platform, Cause::ManifestUnsupportedType, words))
        }
    }
}
