//! Products that present their own certificates for other hosts, by what stands in their issuers.
//!
//! Most sign with an authority that the customer named, so a miss proves nothing. Sources: chains seen in public
//! repositories and issue threads of 2025 and 2026; where only vendor lists name a product it is left out.

/// A product, and texts of which one stands in an issuer's name, without regard to case.
const PRODUCTS: &[(&str, &[&str])] = &[
    ("Zscaler Internet Access", &["zscaler intermediate root ca", "zscaler root ca", "o=zscaler inc"]),
    ("Netskope", &["goskope.com", "netskope"]),
    ("Cisco Umbrella", &["cisco umbrella"]),
    ("FortiGate", &["o=fortinet", "fortinet_ca_ssl", "fortinet-subca", "fortinet-ca", "fortigate ca"]),
    ("Sophos Firewall", &["sophos ssl ca", "o=sophos"]),
    ("Forcepoint", &["forcepoint"]),
    ("Cloudflare Gateway", &["gateway ca - cloudflare"]),
    ("Cato Networks", &["cato networks"]),
    ("Palo Alto Networks", &["palo alto", "paloalto", "palo-alto"]),
    ("Blue Coat ProxySG", &["blue coat", "bluecoat", "proxysg"]),
    ("Skyhigh Web Gateway", &["mcafee web gateway", "skyhigh"]),
    ("Somansa NDLP", &["somansa"]),
    ("Soosan INT ePrism SSL", &["eprism", "soosan int"]),
    ("mitmproxy", &["mitmproxy"]),
    ("Burp Suite", &["portswigger"]),
    ("Fiddler", &["do_not_trust_fiddler"]),
];

/// The product whose name stands in an issuer.
pub(crate) fn product(issuer: &str) -> Option<&'static str> {
    let issuer = issuer.to_lowercase();
    PRODUCTS
        .iter()
        .find(|(_, texts)| texts.iter().any(|text| issuer.contains(text)))
        .map(|(product, _)| *product)
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
    }
}
