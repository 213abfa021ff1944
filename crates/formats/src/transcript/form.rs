//! Which program printed a text that has no command before it.

use regex::Regex;
use std::sync::LazyLock;

/// A form that gives its program away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `kubectl describe` of a pod.
    DescribePod,
    /// A table of `kubectl get`.
    KubectlTable,
    /// Lines of a log: journal, klog, logrus, JSON.
    Log,
    /// `openssl s_client`.
    OpensslClient,
    /// `curl -v`.
    CurlVerbose,
    /// `timedatectl`.
    Timedatectl,
    /// `date`.
    Date,
    /// `systemctl show`.
    SystemctlShow,
    /// `systemctl status`.
    SystemctlStatus,
    /// `crictl info`, or the kubelet's `configz`: a JSON document of a running process.
    ProcessJson,
    /// `docker images`, `crictl images`.
    Images,
    /// `docker pull`, `docker push`, `crictl pull`.
    PullOrPush,
    /// `ls -l`.
    Listing,
    /// `df`.
    DiskFree,
    /// Nothing known.
    Unknown,
}

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("constant pattern"));
    };
}

pattern!(
    LOG_LINE,
    r#"^(?:[IWEF]\d{4} \d{2}:\d{2}:\d{2}|time="\d{4}-|\w{3} [ \d]\d \d{2}:\d{2}:\d{2} \S+ [\w.-]+(?:\[\d+\])?: |\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}|\{"(?:level|ts|time|msg|log|@timestamp)":)"#
);
pattern!(
    DATE_LINE,
    r"^(?:\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2}( [AP]M)? [A-Z+][A-Z0-9+]{1,5} \d{4}|\w{3} \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2})"
);
pattern!(LISTING_LINE, r"(?m)^[-dlbcps][-rwxsStT]{9}[.+@]? +\d+ ");
pattern!(
    SHOW_LINE,
    r"^(?:ActiveEnterTimestamp|MainPID|ExecMainPID|ExecMainStartTimestamp|Environment|FragmentPath|NRestarts|ActiveState)="
);

/// The form of a text.
pub fn form(text: &str) -> Form {
    let head = head(text);
    let mut lines = head.lines().filter(|l| !l.trim().is_empty());
    let Some(first) = lines.next() else { return Form::Unknown };
    let has = |mark: &str| head.contains(mark);
    let begins = |mark: &str| head.lines().any(|l| l.trim_start().starts_with(mark));
    if begins("Name:")
        && (begins("Namespace:") && begins("Containers:") || begins("Events:") && begins("Node:"))
    {
        return Form::DescribePod;
    }
    if has("Universal time:") || has("System clock synchronized:") || has("NTP synchronized:") {
        return Form::Timedatectl;
    }
    if has("CONNECTED(0") || has("Certificate chain\n 0 s:") {
        return Form::OpensslClient;
    }
    if begins("*   Trying ") || (begins("> GET ") || begins("> HEAD ")) && begins("< HTTP/") {
        return Form::CurlVerbose;
    }
    if SHOW_LINE.is_match(first) {
        return Form::SystemctlShow;
    }
    if begins("Loaded: loaded") || first.starts_with("● ") {
        return Form::SystemctlStatus;
    }
    if first.starts_with('{')
        && (has("\"kubeletconfig\"")
            || has("\"containerdEndpoint\"")
            || has("\"registry\"") && has("\"config\"")
            || has("\"RuntimeReady\""))
    {
        return Form::ProcessJson;
    }
    if first.starts_with("REPOSITORY") && first.contains("TAG")
        || first.starts_with("IMAGE ") && first.contains("TAG")
    {
        return Form::Images;
    }
    if crate::kubectl_table::read(head).is_some()
        && ["NAME", "NAMESPACE", "LAST SEEN"].iter().any(|h| first.starts_with(h))
    {
        return Form::KubectlTable;
    }
    if first.starts_with("Filesystem ") {
        return Form::DiskFree;
    }
    if LOG_LINE.is_match(first) {
        return Form::Log;
    }
    if DATE_LINE.is_match(first) && lines.next().is_none() {
        return Form::Date;
    }
    if begins("The push refers to")
        || begins("Error response from daemon")
        || begins("Pulling from ")
        || begins("Using default tag")
        || has("FATA[0")
    {
        return Form::PullOrPush;
    }
    if LISTING_LINE.is_match(head) {
        return Form::Listing;
    }
    Form::Unknown
}

/// The first bytes, which decide.
fn head(text: &str) -> &str {
    crate::kube::bounded(text, 16 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_give_programs_away() {
        for (text, wanted) in [
            (
                "Name:         web-0\nNamespace:    shop\nNode:         w1/10.0.0.1\nContainers:\n  app:\n",
                Form::DescribePod,
            ),
            (
                "NAME    READY   STATUS             RESTARTS   AGE\nweb-0   0/1     ImagePullBackOff   0          1m\n",
                Form::KubectlTable,
            ),
            (
                "               Local time: Mon 2021-11-22 16:40:12 UTC\n           Universal time: x\n",
                Form::Timedatectl,
            ),
            ("time=\"2023-05-26 02:11:40.118923415Z\" level=info msg=\"x\"\n", Form::Log),
            ("E0823 00:08:36.232130    2669 pod_workers.go:1298] x\n", Form::Log),
            ("Jan 02 10:00:00 worker-1 containerd[812]: time=\"x\"\n", Form::Log),
            ("MainPID=129\nNRestarts=0\n", Form::SystemctlShow),
            ("CONNECTED(00000003)\n---\nCertificate chain\n 0 s:CN = x\n", Form::OpensslClient),
            ("{\n  \"config\": {\n    \"registry\": {}}}", Form::ProcessJson),
            ("REPOSITORY   TAG   IMAGE ID\n", Form::Images),
            ("The push refers to repository [r/a]\n", Form::PullOrPush),
            ("Sun Aug 30 08:00:00 UTC 2020\n", Form::Date),
            ("total 4\n-rw-r--r-- 1 root root 99 Sep 23 17:01 registries.yml\n", Form::Listing),
            ("mirrors:\n  docker.io:\n", Form::Unknown),
            ("", Form::Unknown),
        ] {
            assert_eq!(form(text), wanted, "{text}");
        }
    }
}
