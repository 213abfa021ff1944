//! Objects of both notations and every odd shape.

use super::*;
use facts::ContainerKind;
use proptest::prelude::*;

fn yaml(text: &str) -> Item {
    let value = crate::yaml::parse_text(text).expect("YAML");
    from_value(&value, &Envelope::default(), Origin::default(), &mut Sameness::default()).item
}

fn json(text: &str) -> Item {
    from_json(
        text.as_bytes(),
        &Envelope::default(),
        Origin::default(),
        Detail::Full,
        &mut Sameness::default(),
    )
    .expect("JSON")
    .item
}

fn pod(text: &str) -> Pod {
    match yaml(text) {
        Item::Pod(p) => *p,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_pod_with_containers_of_all_kinds() {
    let pod = pod("
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, annotations: {kubernetes.io/config.mirror: x}}
spec:
  nodeName: w1
  imagePullSecrets: [{name: a}, {name: b}]
  initContainers: [{name: i, image: 'r/i:1'}]
  containers: [{name: c, image: 'r/c:1', imagePullPolicy: Always}]
  ephemeralContainers: [{name: e, image: 'r/e:1'}]
  volumes: [{name: v, image: {reference: 'r/v:1', pullPolicy: Never}}, {name: t, emptyDir: {}}]
status:
  phase: Pending
  conditions: [{type: Ready, status: 'False', reason: ContainersNotReady, message: m}, {type: PodScheduled, status: 'True'}]
  initContainerStatuses: [{name: i, imageID: x, restartCount: 0, state: {terminated: {exitCode: 0}}}]
  containerStatuses: [{name: c, image: 'r/c:1', imageID: '', state: {waiting: {reason: ErrImagePull, message: why}}}]
");
    let kinds: Vec<_> = pod.containers.iter().map(|c| (c.kind, c.name.as_str(), c.started)).collect();
    assert_eq!(
        kinds,
        [
            (ContainerKind::Init, "i", true),
            (ContainerKind::App, "c", false),
            (ContainerKind::Ephemeral, "e", false),
            (ContainerKind::ImageVolume, "v", false)
        ]
    );
    assert!(pod.is_static);
    assert_eq!(pod.pull_secrets, ["a", "b"]);
    assert_eq!(pod.unmet, ["Ready: ContainersNotReady: m"]);
    assert_eq!(pod.containers[1].waiting.as_ref().map(|w| w.reason.as_str()), Some("ErrImagePull"));
    assert_eq!(pod.service_account, "default");
}

#[test]
fn fields_at_the_wrong_place_are_named() {
    let pod = pod("
apiVersion: v1
kind: Pod
metadata: {name: web}
imagePullSecrets: [{name: a}]
spec:
  imagePullSecrets: [regcred]
  containers: [{name: c, image: x, imagePullSecrets: [{name: a}]}]
");
    assert_eq!(
        pod.misplaced,
        ["imagePullSecrets", "spec.imagePullSecrets[0]", "spec.containers[0].imagePullSecrets"]
    );
    assert_eq!(pod.pull_secrets, ["regcred"]);
}

#[test]
fn any_shape_is_read() {
    for text in [
        "apiVersion: v1\nkind: Pod\nmetadata: name\nspec: []\nstatus: 3\n",
        "apiVersion: v1\nkind: Pod\nspec: {containers: {a: b}, imagePullSecrets: x, volumes: [1, null, {image: y}]}\n",
        "apiVersion: v1\nkind: Event\ninvolvedObject: 1\nseries: x\ncount: many\n",
        "apiVersion: v1\nkind: Secret\ndata: x\n",
        "apiVersion: v1\nkind: Node\nstatus: {images: 1, nodeInfo: []}\n",
        "apiVersion: v1\nkind: ServiceAccount\nimagePullSecrets: {name: x}\n",
    ] {
        assert_ne!(yaml(text), Item::Nothing, "{text}");
    }
}

#[test]
fn events_of_both_apis_say_the_same() {
    let old = json(
        r#"{"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"n","creationTimestamp":null},
        "involvedObject":{"kind":"Pod","namespace":"n","name":"p","uid":"u","fieldPath":"spec.containers{c}"},"reason":"Failed",
        "message":"m","type":"Warning","source":{"component":"kubelet","host":"w1"},"firstTimestamp":"2026-01-01T00:00:00Z",
        "lastTimestamp":"2026-01-01T00:05:00Z","count":7,"eventTime":null}"#,
    );
    let new = json(
        r#"{"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"e","namespace":"n"},
        "regarding":{"kind":"Pod","namespace":"n","name":"p","uid":"u","fieldPath":"spec.containers{c}"},"reason":"Failed",
        "note":"m","type":"Warning","reportingController":"kubelet","reportingInstance":"w1","eventTime":"2026-01-01T00:00:00.000000Z",
        "series":{"count":7,"lastObservedTime":"2026-01-01T00:05:00.000000Z"}}"#,
    );
    assert_eq!(old, new);
    let Item::Event(event) = old else { panic!() };
    assert_eq!((event.container.as_str(), event.host.as_str(), event.count), ("c", "w1", 7));
}

#[test]
fn a_secret_keeps_its_shape_only() {
    let value =
        "eyJhdXRocyI6eyJoYXJib3IuZXhhbXBsZS5jb20iOnsidXNlcm5hbWUiOiJyb2JvdCIsInBhc3N3b3JkIjoicHcifX19";
    let text = format!(
        "{{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{{\"name\":\"s\",\"annotations\":{{\"kubectl.kubernetes.io/last-applied-configuration\":\"{value}\"}}}},\"data\":{{\".dockerconfigjson\":\"{value}\"}}}}"
    );
    let Item::Secret(secret) = json(&text) else { panic!() };
    let config = secret.docker_config.seen().expect("seen");
    assert_eq!((secret.type_.as_str(), config.entries[0].key.as_str()), ("Opaque", "harbor.example.com"));
    assert!(!format!("{secret:?}").contains(value));
    let broken = yaml(
        "apiVersion: v1\nkind: Secret\ntype: kubernetes.io/dockerconfigjson\ndata: {.dockerconfigjson: 'e%'}\n",
    );
    let Item::Secret(secret) = broken else { panic!() };
    assert_eq!(
        secret.docker_config.seen().and_then(|c| c.problem.as_deref()),
        Some("illegal base64 data at input byte 1")
    );
    let listed = yaml("apiVersion: v1\nkind: Secret\nmetadata: {name: only-metadata}\n");
    let Item::Secret(secret) = listed else { panic!() };
    assert!(secret.docker_config.seen().is_none());
}

#[test]
fn audit_entries_of_writes_only() {
    let entry = |verb: &str, stage: &str| {
        json(&format!(
            r#"{{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"{stage}","verb":"{verb}","user":{{"username":"u"}},
            "objectRef":{{"resource":"serviceaccounts","namespace":"n","name":"default"}},"responseStatus":{{"code":200}},
            "requestObject":{{"imagePullSecrets":[{{"name":"a"}}]}},"stageTimestamp":"2026-01-01T00:00:00.5Z"}}"#
        ))
    };
    let Item::Audit(a) = entry("patch", "ResponseComplete") else { panic!() };
    assert_eq!((a.status, a.pull_secrets), (200, Some(vec!["a".to_owned()])));
    assert_eq!(entry("get", "ResponseComplete"), Item::Nothing);
    assert_eq!(entry("patch", "RequestReceived"), Item::Nothing);
}

#[test]
fn other_objects_are_kept_as_redacted_json() {
    let Item::Other(o) = yaml(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: n, managedFields: [{manager: m}]}\nspec: {z: 1, a: {password: hunter2}}\n",
    ) else {
        panic!()
    };
    assert_eq!(
        o.json,
        r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","namespace":"n"},"spec":{"a":{"password":"***"},"z":1}}"#
    );
    assert_eq!((o.meta.name.as_str(), o.meta.namespace.as_str()), ("d", "n"));
}

#[test]
fn settled_pods_are_summed_where_asked() {
    let text = r#"{"metadata":{"name":"a","namespace":"n"},"spec":{"nodeName":"w","containers":[{"name":"c","image":"r/c:1"}]},
        "status":{"phase":"Running","containerStatuses":[{"name":"c","imageID":"x","state":{"running":{"startedAt":"2026-01-01T00:00:00Z"}}}]}}"#;
    let hint = Envelope { api_version: "v1".into(), kind: "Pod".into() };
    let read =
        from_json(text.as_bytes(), &hint, Origin::default(), Detail::Sum, &mut Sameness::default()).unwrap();
    let Item::Settled(s) = read.item else { panic!() };
    assert_eq!((s.node.as_str(), s.images), ("w", vec!["r/c:1".to_owned()]));
    assert!(read.newest.is_some());
}

proptest! {
    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = envelope(&bytes);
        let _ = from_json(&bytes, &Envelope::default(), Origin::default(), Detail::Full, &mut Sameness::default());
    }
}
