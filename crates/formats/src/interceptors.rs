//! Devices that present their own certificates for other hosts, by what stands in their issuers: one table for all who
//! look at chains.
//!
//! Most sign with an authority that the customer named, so a miss proves nothing. Sources: the products' documentation,
//! and chains seen in public repositories and issue threads of 2025 and 2026.

/// A product, and texts of which one stands in an issuer's name, in lower case.
const PRODUCTS: &[(&str, &[&str])] = &[
    ("Zscaler Internet Access", &["zscaler"]),
    ("Netskope", &["goskope", "netskope"]),
    ("Cisco Umbrella", &["cisco umbrella"]),
    ("FortiGate", &["fortinet", "fortigate"]),
    ("Sophos Firewall", &["sophos"]),
    ("Forcepoint", &["forcepoint", "websense"]),
    ("Cloudflare Gateway", &["gateway ca - cloudflare", "cloudflare gateway"]),
    ("Cato Networks", &["cato networks"]),
    ("Palo Alto Networks", &["palo alto", "paloalto", "palo-alto"]),
    ("Blue Coat ProxySG", &["blue coat", "bluecoat", "proxysg", "symantec web"]),
    ("Skyhigh Web Gateway", &["mcafee web", "skyhigh"]),
    ("Check Point", &["check point"]),
    ("Menlo Security", &["menlo security"]),
    ("iboss", &["iboss"]),
    ("Barracuda", &["barracuda"]),
    ("WatchGuard", &["watchguard"]),
    ("SonicWall", &["sonicwall"]),
    ("Untangle", &["untangle"]),
    ("Securly", &["securly"]),
    ("Lightspeed", &["lightspeed"]),
    ("Somansa NDLP", &["somansa"]),
    ("Soosan INT ePrism SSL", &["eprism", "soosan int"]),
    ("Squid", &["squid"]),
    ("mitmproxy", &["mitmproxy"]),
    ("Burp Suite", &["portswigger"]),
    ("Fiddler", &["do_not_trust_fiddler"]),
];

/// Words by which inspection that is home-made names itself.
const INSPECTING: &[&str] =
    &["inspect", "interception", "decrypt", "mitm", "ssl proxy", "proxy ca", "tls proxy"];

/// The product whose name stands in an issuer.
pub fn product(issuer: &str) -> Option<&'static str> {
    let issuer = issuer.to_lowercase();
    let named = PRODUCTS.iter().find(|(_, texts)| texts.iter().any(|text| issuer.contains(text)));
    named.map(|(product, _)| *product)
}

/// Whether an issuer's name says that it signs for hosts of others: a known product, or words for what it does.
pub fn inspects(issuer: &str) -> bool {
    let lower = issuer.to_lowercase();
    product(issuer).is_some() || INSPECTING.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuers_are_recognised() {
        assert_eq!(
            product("CN=Zscaler Intermediate Root CA (zscalertwo.net) (t),O=Zscaler Inc."),
            Some("Zscaler Internet Access")
        );
        assert_eq!(product("O=mitmproxy,CN=mitmproxy"), Some("mitmproxy"));
        assert_eq!(product("CN=Somansa Root CA,OU=NDLP,O=Somansa,C=KR"), Some("Somansa NDLP"));
        assert_eq!(product("CN=Example Private Root,O=Example"), None);
        assert!(inspects("CN=Example TLS Inspection CA"));
        assert!(!inspects("CN=R11,O=Let's Encrypt,C=US"));
        assert!(!inspects("CN=Example Private Root,O=Example"));
    }
}
