//! What a presented chain says of a CA that a setting would provide.

use crate::case::Case;
use crate::pull::Pull;
use crate::questions::chains;
use facts::NodeFacts;
use formats::certificate::Certificate;
use formats::interceptors::inspects;
use formats::pem;

/// The chain that was presented, held against the CAs that are in hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chain {
    /// Nobody printed one, or a CA in hand is its issuer.
    #[default]
    Unquestioned,
    /// A device on the way signed it: no CA of the registry helps.
    Inspected,
    /// No CA in hand is its issuer: one whose content nobody has seen may be another.
    Unvouched,
}

/// The attribute of a common name. Source: X.520.
const COMMON_NAME: &str = "2.5.4.3";

/// The chain that the asked host was seen to present.
pub fn of(case: &Case<'_>, pull: &Pull<'_>) -> Chain {
    let issuers: Vec<String> = chains::issuers(case, pull.asked_host());
    if issuers.iter().any(|i| inspects(i)) {
        return Chain::Inspected;
    }
    let vouched =
        || case.node_facts(pull.node).is_some_and(|node| names(node).any(|n| issued_by(&issuers, &n)));
    if issuers.is_empty() || vouched() { Chain::Unquestioned } else { Chain::Unvouched }
}

/// The common names of the certificates in a node's files.
fn names(node: &NodeFacts) -> impl Iterator<Item = String> + '_ {
    let texts = node.files.values().filter_map(|f| f.text.seen()).filter(|t| t.contains("-----BEGIN CERT"));
    let all = texts.flat_map(|t| pem::certificates(t.as_bytes()));
    let named = all.filter_map(|der| Certificate::from_der(&der).ok());
    named.filter_map(|c| c.subject.attributes.into_iter().find(|a| a.oid == COMMON_NAME)).map(|a| a.value)
}

fn issued_by(issuers: &[String], name: &str) -> bool {
    let named = |issuer: &String| {
        let cn = issuer.split_once("CN=").map_or("", |(_, rest)| rest);
        cn.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with([',', '/', '+']))
    };
    issuers.iter().any(named)
}
