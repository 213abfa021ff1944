//! Where commands begin in a text: a prompt, and behind it something that is a command and no comment.

use super::command::command;

/// One command with what it printed, or a text without a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// The command line without its prompt; `None` where the text begins without one.
    pub command: Option<&'a str>,
    /// What it printed.
    pub text: &'a str,
    /// The line of the command (or of the text), from 1.
    pub line: u32,
}

/// Splits a text at its prompts. A text without any is one block without a command.
pub fn split(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut prompt: Option<Prompt> = None;
    let mut current: Option<(Option<&str>, usize, u32)> = Some((None, 0, 1));
    let mut offset = 0;
    for (number, line) in (1_u32..).zip(text.split_inclusive('\n')) {
        let start = offset;
        offset += line.len();
        let Some((kind, found)) = prompted(line.trim_end()) else { continue };
        // One kind of prompt a text: `# ` within what `$ cat file` printed is a comment.
        if *prompt.get_or_insert(kind) != kind {
            continue;
        }
        if let Some((command, from, line)) = current.take() {
            push(&mut blocks, command, text.get(from..start), line);
        }
        current = Some((Some(found), offset, number));
    }
    if let Some((command, from, line)) = current {
        push(&mut blocks, command, text.get(from..), line);
    }
    blocks
}

fn push<'a>(blocks: &mut Vec<Block<'a>>, command: Option<&'a str>, text: Option<&'a str>, line: u32) {
    let text = text.unwrap_or_default();
    if command.is_some() || !text.trim().is_empty() {
        blocks.push(Block { command, text, line });
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Prompt {
    Dollar,
    Hash,
}

/// The command behind a prompt: `$ x`, `# x`, `user@host:~$ x`, `[root@host ~]# x`.
fn prompted(line: &str) -> Option<(Prompt, &str)> {
    if let Some(rest) = line.strip_prefix("$ ") {
        let rest = rest.trim();
        return (!rest.is_empty()).then_some((Prompt::Dollar, rest));
    }
    if let Some(rest) = line.strip_prefix("# ") {
        let rest = rest.trim();
        return is_command(rest).then_some((Prompt::Hash, rest));
    }
    // A prompt with user and host is short and has an at sign before its mark.
    for (mark, prompt) in [("$ ", Prompt::Dollar), ("# ", Prompt::Hash)] {
        if let Some((before, rest)) = line.split_once(mark)
            && before.len() <= 80
            && before.contains('@')
            && before.split_whitespace().count() <= 2
            && !before.contains(['"', '=', '{'])
            && is_command(rest.trim())
        {
            return Some((prompt, rest.trim()));
        }
    }
    None
}

/// Programs that people run when an image cannot be pulled. Behind `# ` anything else is a comment.
const PROGRAMS: &[&str] = &[
    "apk",
    "apt",
    "apt-get",
    "arp",
    "ausearch",
    "aws",
    "awk",
    "az",
    "base64",
    "buildah",
    "bridge",
    "cat",
    "chroot",
    "chronyc",
    "cilium",
    "conntrack",
    "containerd",
    "crane",
    "cri-dockerd",
    "crictl",
    "crio",
    "ctr",
    "curl",
    "cut",
    "date",
    "df",
    "diff",
    "dig",
    "dmesg",
    "dnf",
    "docker",
    "docker-compose",
    "dpkg",
    "du",
    "echo",
    "eksctl",
    "env",
    "ethtool",
    "file",
    "find",
    "firewall-cmd",
    "gcloud",
    "getenforce",
    "getent",
    "grep",
    "grpcurl",
    "head",
    "helm",
    "host",
    "hostname",
    "hostnamectl",
    "hwclock",
    "id",
    "ifconfig",
    "ip",
    "ip6tables",
    "iptables",
    "jf",
    "journalctl",
    "jq",
    "k3s",
    "keytool",
    "kind",
    "ko",
    "kubectl",
    "kubelet",
    "less",
    "logger",
    "ls",
    "lsattr",
    "lsblk",
    "lsof",
    "md5sum",
    "microk8s",
    "minikube",
    "mount",
    "mtr",
    "nc",
    "ncat",
    "nerdctl",
    "netstat",
    "nft",
    "nginx",
    "nmap",
    "nmcli",
    "nomad",
    "nslookup",
    "nsenter",
    "ntpdate",
    "ntpq",
    "oc",
    "openssl",
    "oras",
    "pidof",
    "pgrep",
    "ping",
    "podman",
    "printenv",
    "printf",
    "ps",
    "psql",
    "python",
    "python3",
    "readlink",
    "realpath",
    "regctl",
    "resolvectl",
    "rke2",
    "route",
    "rpm",
    "scp",
    "sed",
    "sestatus",
    "sha256sum",
    "skopeo",
    "snap",
    "sort",
    "ss",
    "ssh",
    "stat",
    "strace",
    "sudo",
    "sysctl",
    "systemctl",
    "systemd-resolve",
    "systemd-cgls",
    "tail",
    "talosctl",
    "tcpdump",
    "tee",
    "telnet",
    "timedatectl",
    "timeout",
    "top",
    "tr",
    "tracepath",
    "traceroute",
    "trust",
    "true",
    "uname",
    "update-ca-certificates",
    "update-ca-trust",
    "vault",
    "wc",
    "wget",
    "xargs",
    "yq",
    "yum",
    "zcat",
    "kubeadm",
    "kustomize",
    "flux",
    "argocd",
    "velero",
    "crc",
    "ibmcloud",
    "aliyun",
    "dockerd",
    "etcdctl",
    "kyverno",
    "cosign",
    "notation",
    "trivy",
    "harbor",
    "nova",
    "openstack",
    "export",
    "for",
    "while",
    "if",
    "until",
];

/// Whether a text behind a prompt is a command line.
fn is_command(rest: &str) -> bool {
    let found = command(rest);
    let first = rest.split_whitespace().next().unwrap_or_default();
    if first.ends_with([':', ',', '.']) {
        return false;
    }
    let known = |p: &str| PROGRAMS.contains(&p);
    known(found.program) && !reads_like_a_sentence(rest)
        || known(first) && !reads_like_a_sentence(rest)
        || first.starts_with('/')
        || first.starts_with("./")
}

/// Comments begin with words that are programs too: `# host entries for the mirror`, `# date of the last change`.
fn reads_like_a_sentence(rest: &str) -> bool {
    let mut words = rest.split_whitespace().skip(1);
    let second = words.next().unwrap_or_default();
    matches!(
        second,
        "of" | "for"
            | "the"
            | "is"
            | "are"
            | "to"
            | "with"
            | "and"
            | "a"
            | "an"
            | "from"
            | "this"
            | "that"
            | "entries"
            | "was"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(text: &str) -> Vec<(Option<&str>, u32)> {
        split(text).iter().map(|b| (b.command, b.line)).collect()
    }

    #[test]
    fn several_commands_in_one_text() {
        let text = "$ curl -sSI https://r/v2/\nHTTP/1.1 401\n$ dig +short r\n";
        assert_eq!(commands(text), [(Some("curl -sSI https://r/v2/"), 1), (Some("dig +short r"), 3)]);
        let root = "# ip -o link\n2: eth0\n# hostname -I\n10.0.0.1\n";
        assert_eq!(commands(root), [(Some("ip -o link"), 1), (Some("hostname -I"), 3)]);
    }

    #[test]
    fn comments_are_no_commands() {
        for text in [
            "# File generated by k3s. DO NOT EDIT.\nserver = \"x\"\n",
            "# host entries for the mirror\n10.0.0.1 mirror\n",
            "# managed by puppet\n",
            "# date: 2024\n",
            "plain text\n",
        ] {
            assert_eq!(commands(text), [(None, 1)], "{text}");
        }
        let cat = "$ cat /etc/resolv.conf\n# ip of the resolver\nnameserver 10.0.0.53\n";
        assert_eq!(commands(cat), [(Some("cat /etc/resolv.conf"), 1)]);
    }

    #[test]
    fn prompts_with_user_and_host() {
        let text = "[root@worker-1 ~]# crictl info\n{}\nubuntu@worker-1:~$ date\n";
        assert_eq!(commands(text)[0], (Some("crictl info"), 1));
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "(?s)([$#] [a-z]{0,6}|\n|\\PC){0,60}") {
            let _ = split(&text);
        }
    }
}
