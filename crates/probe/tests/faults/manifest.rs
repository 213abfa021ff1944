//! Manifests and platforms.

use crate::support::stage::Sound;
use crate::support::{Machine, concludes, ends, fact, passes, request};
use facts::{Outcome, seen};
use testkit::Image;
use vocabulary::{Cause, Confidence, Stage};

fn missing() -> bool {
    testkit::missing(&["docker-registry", "nginx"])
}

async fn climbed(sound: &Sound, image: &str) -> facts::Ladder {
    Machine::new().trusting(&sound.authority).climbs(&request(image)).await
}

fn named(sound: &Sound, rest: &str) -> String {
    format!("registry.example.com:{}/{rest}", sound.registry.port)
}

#[tokio::test]
async fn head_is_refused() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let front = sound.behind("if ($request_method = HEAD) { return 403; }");
    let ladder = climbed(&sound, &front.image()).await;
    ends(&ladder, Stage::Manifest, Cause::RegistryHeadBlocked);
    concludes(&ladder, Cause::RegistryHeadBlocked, Confidence::Confirmed);
    assert_eq!(fact(&ladder, Stage::Manifest, seen::HEAD_STATUS), "403 Forbidden");
    assert_eq!(fact(&ladder, Stage::Manifest, seen::GET_STATUS), "200 OK");
}

#[tokio::test]
async fn head_is_not_known_and_get_does_instead() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let front = sound.behind("if ($request_method = HEAD) { return 405; }");
    let ladder = climbed(&sound, &front.image()).await;
    passes(&ladder);
    assert_eq!(fact(&ladder, Stage::Manifest, seen::HEAD_STATUS), "405 Not Allowed");
}

#[tokio::test]
async fn the_tag_is_missing() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    sound.shelf.put("team/app", Some("v1.1"), &Image::single("linux/amd64"));
    let ladder = climbed(&sound, &named(&sound, "team/app:v11")).await;
    let words = ends(&ladder, Stage::Manifest, Cause::ManifestUnknown);
    concludes(&ladder, Cause::ManifestUnknown, Confidence::Confirmed);
    assert!(words.ends_with(": not found"), "{words}");
    assert_eq!(fact(&ladder, Stage::Manifest, seen::REPOSITORY_EXISTS), "yes");
    let near: Vec<&str> = ladder.rung(Stage::Manifest).unwrap().all(seen::TAGS_NEAR).collect();
    assert_eq!(near, ["v1", "v1.1"]);
}

#[tokio::test]
async fn the_repository_is_missing() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let ladder = climbed(&sound, &named(&sound, "team/other:v1")).await;
    ends(&ladder, Stage::Manifest, Cause::RepositoryUnknown);
    concludes(&ladder, Cause::RepositoryUnknown, Confidence::Likely);
}

#[tokio::test]
async fn the_digest_is_missing() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let ladder = climbed(&sound, &named(&sound, &format!("team/app@sha256:{}", "0".repeat(64)))).await;
    ends(&ladder, Stage::Manifest, Cause::ManifestUnknown);
    concludes(&ladder, Cause::ManifestUnknown, Confidence::Confirmed);
}

#[tokio::test]
async fn a_page_comes_instead() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let page =
        "location ~ /manifests/ { default_type text/html; return 200 '<html><title>Moved</title></html>'; }";
    let ladder = climbed(&sound, &sound.behind(page).image()).await;
    ends(&ladder, Stage::Manifest, Cause::RegistryBadResponse);
    concludes(&ladder, Cause::RegistryBadResponse, Confidence::Likely);
}

#[tokio::test]
async fn the_manifest_does_not_parse() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let half = r#"location ~ /manifests/ { default_type application/vnd.oci.image.manifest.v1+json; return 200 '{"schemaVersion":2,"config":{'; }"#;
    let ladder = climbed(&sound, &sound.behind(half).image()).await;
    ends(&ladder, Stage::Manifest, Cause::ManifestInvalid);
    concludes(&ladder, Cause::ManifestInvalid, Confidence::Confirmed);
}

#[tokio::test]
async fn a_cache_serves_something_else_for_a_digest() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let other = Image::with_layer("linux/amd64", b"another layer");
    sound.shelf.put("team/app", Some("v2"), &other);
    let asked = Image::single("linux/amd64").digest();
    let front =
        sound.behind(&format!("rewrite ^/v2/team/app/manifests/{asked}$ /v2/team/app/manifests/v2 last;"));
    let image = format!("registry.example.com:{}/team/app@{asked}", front.nginx.port);
    let ladder = climbed(&sound, &image).await;
    ends(&ladder, Stage::Manifest, Cause::BlobDigestMismatch);
    concludes(&ladder, Cause::BlobDigestMismatch, Confidence::Confirmed);
    assert_eq!(fact(&ladder, Stage::Manifest, seen::DIGEST), other.digest());
}

#[tokio::test]
async fn it_is_an_artifact() {
    if missing() {
        return;
    }
    let sound = Sound::serving(&Image::artifact());
    let ladder = climbed(&sound, &sound.image()).await;
    ends(&ladder, Stage::Manifest, Cause::ManifestUnsupportedType);
    concludes(&ladder, Cause::ManifestUnsupportedType, Confidence::Confirmed);
}

#[tokio::test]
async fn a_policy_withholds_it() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let says = r#"location ~ /manifests/ { default_type application/json; return 412 '{"errors":[{"code":"PROJECTPOLICYVIOLATION","message":"current image with 3 vulnerabilities cannot be pulled due to configured policy"}]}'; }"#;
    let ladder = climbed(&sound, &sound.behind(says).image()).await;
    ends(&ladder, Stage::Manifest, Cause::ManifestBlocked);
    concludes(&ladder, Cause::ManifestBlocked, Confidence::Confirmed);
}

#[tokio::test]
async fn the_index_lacks_the_platform() {
    if missing() {
        return;
    }
    let sound = Sound::serving(&Image::index(&["linux/arm64", "linux/s390x"]));
    let ladder = climbed(&sound, &sound.image()).await;
    let words = ends(&ladder, Stage::Platform, Cause::ManifestPlatformMissing);
    concludes(&ladder, Cause::ManifestPlatformMissing, Confidence::Confirmed);
    assert_eq!(words, "no match for platform in manifest: not found");
    let has: Vec<&str> = ladder.rung(Stage::Platform).unwrap().all(seen::PLATFORM).collect();
    assert_eq!(has, ["linux/arm64", "linux/s390x"], "attestations are no platforms");
}

#[tokio::test]
async fn the_single_image_is_of_another_platform() {
    if missing() {
        return;
    }
    let sound = Sound::serving(&Image::single("linux/arm64"));
    let ladder = climbed(&sound, &sound.image()).await;
    ends(&ladder, Stage::Platform, Cause::ManifestPlatformMissing);
    concludes(&ladder, Cause::ManifestPlatformMissing, Confidence::Confirmed);
    assert_eq!(ladder.rung(Stage::Manifest).unwrap().outcome, Outcome::Passed);
}
