//! No password of an input is in the Snapshot that is read from it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]
#![allow(dead_code, reason = "the places are shared between tests")]

mod places;

#[test]
fn a_serialised_snapshot_holds_no_password() {
    let places = places::plant();
    let snapshot = saved::read(&[places.folder.path().to_owned()], saved::Limits::default());
    let text = serde_json::to_string(&snapshot).unwrap();
    assert_eq!(places.leaks(&text), Vec::<String>::new());
    // Not because nothing was read.
    assert!(
        snapshot.secrets.len() >= 7 && snapshot.outputs.len() >= 20 && snapshot.pods.len() >= 3,
        "{text}"
    );
}
