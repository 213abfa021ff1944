//! The handshake and the verdict on the certificate, in the words of Go's crypto/tls and crypto/x509, of OpenSSL, and of
//! the runtimes that read certificate files.

use super::super::row::Row;
use vocabulary::Cause::{self, *};

const UNKNOWN_CA: &[Cause] = &[TlsSelfSigned, TlsIncompleteChain, TlsInterception];
const DATES: &[Cause] = &[TlsNotYetValid, ClockNode];

pub(crate) const ROWS: &[Row] = &[
    // Verdicts on the chain.
    Row::fact(&["signed by unknown authority"], TlsUnknownAuthority).also(UNKNOWN_CA),
    Row::fact(&["certificate is not trusted"], TlsUnknownAuthority).also(UNKNOWN_CA),
    Row::fact(&["certificate issuer is not trusted"], TlsUnknownAuthority).also(UNKNOWN_CA),
    Row::fact(&["unable to get local issuer certificate"], TlsUnknownAuthority).also(UNKNOWN_CA),
    Row::fact(&["unable to verify the first certificate"], TlsUnknownAuthority).also(UNKNOWN_CA),
    Row::fact(&["unable to find valid certification path"], TlsUnknownAuthority).also(UNKNOWN_CA),
    Row::fact(&["unknownissuer"], TlsUnknownAuthority).also(UNKNOWN_CA),
    Row::fact(&["failed to load system roots and no roots provided"], TlsUnknownAuthority)
        .also(&[TlsCaFileUnreadable]),
    Row::fact(&["certificate verify failed"], TlsUnknownAuthority)
        .also(&[TlsSelfSigned, TlsIncompleteChain, TlsInterception, TlsExpired])
        .unless(&["hostname mismatch", "has expired", "self signed", "self-signed"]),
    Row::fact(&["self-signed certificate"], TlsSelfSigned).also(&[TlsUnknownAuthority, TlsInterception]),
    Row::fact(&["self signed certificate"], TlsSelfSigned).also(&[TlsUnknownAuthority, TlsInterception]),
    Row::sentence(&["signed by unknown authority", "insecure algorithm"], TlsInsecureAlgorithm)
        .also(&[TlsUnknownAuthority]),
    Row::fact(&["insecure algorithm"], TlsInsecureAlgorithm).also(&[TlsUnknownAuthority]),
    Row::fact(&["algorithm unimplemented"], TlsInsecureAlgorithm),
    Row::fact(&["unsupported elliptic curve"], TlsInsecureAlgorithm),
    Row::fact(&["negative serial number"], TlsInsecureAlgorithm).also(&[TlsHandshake]),
    Row::fact(&["failed to parse certificate from server"], TlsHandshake).also(&[TlsInsecureAlgorithm]),
    Row::fact(&["unsupported type of public key"], TlsInsecureAlgorithm).also(&[TlsHandshake]),
    Row::fact(&["ee key too small"], TlsInsecureAlgorithm),
    Row::fact(&["ca md too weak"], TlsInsecureAlgorithm),
    Row::sentence(&["signed by unknown authority", "cannot sign this kind of certificate"], TlsWrongUsage)
        .also(&[TlsUnknownAuthority]),
    Row::fact(&["incompatible key usage"], TlsWrongUsage),
    Row::fact(&["not authorized to sign"], TlsWrongUsage).also(&[TlsHostnameMismatch, TlsUnknownAuthority]),
    Row::fact(&["too many intermediates for path length"], TlsWrongUsage).also(&[TlsUnknownAuthority]),
    // Dates.
    Row::fact(&["has expired or is not yet valid"], TlsExpired).also(DATES),
    Row::sentence(&["has expired or is not yet valid", "current time", " is after "], TlsExpired)
        .also(&[ClockNode]),
    Row::sentence(&["has expired or is not yet valid", "current time", " is before "], TlsNotYetValid)
        .also(&[ClockNode]),
    Row::fact(&["certificate has expired"], TlsExpired).also(&[ClockNode]).unless(&["or is not yet valid"]),
    Row::fact(&["certificate is not yet valid"], TlsNotYetValid).also(&[ClockNode]),
    Row::fact(&["certificate is expired"], TlsExpired).also(&[ClockNode]),
    // Names.
    Row::fact(&["certificate is valid for"], TlsHostnameMismatch).also(&[TlsInterception]),
    Row::fact(&["certificate is not valid for any names"], TlsNoSan).also(&[TlsHostnameMismatch]),
    Row::fact(&["doesn't contain any ip sans"], TlsNoSan).also(&[TlsHostnameMismatch]),
    Row::fact(&["relies on legacy common name"], TlsNoSan).also(&[TlsHostnameMismatch]),
    Row::fact(&["no alternative certificate subject name matches"], TlsHostnameMismatch),
    Row::fact(&["hostname mismatch"], TlsHostnameMismatch),
    Row::fact(&["does not match target host name"], TlsHostnameMismatch),
    Row::fact(&["hostname/ip does not match certificate"], TlsHostnameMismatch),
    Row::fact(&["no subject alternative names"], TlsNoSan).also(&[TlsHostnameMismatch]),
    // Alerts: of a client certificate, where it is the server that complains.
    Row::fact(&["certificate required"], TlsClientCertRequired).unless(&["client certificate required for"]),
    Row::fact(&["remote error:", "bad certificate"], TlsClientCertRequired),
    Row::fact(&["remote error:", "unsupported certificate"], TlsClientCertRequired),
    Row::fact(&["remote error:", "revoked certificate"], TlsClientCertRequired),
    Row::fact(&["remote error:", "expired certificate"], TlsClientCertRequired),
    Row::fact(&["remote error:", "unknown certificate"], TlsClientCertRequired),
    Row::fact(&["remote error:", "tls: access denied"], TlsClientCertRequired),
    Row::sentence(&["no required ssl cert"], TlsClientCertRequired),
    Row::sentence(&["the ssl certificate error", "400"], TlsClientCertRequired),
    Row::fact(&["protocol version not supported"], TlsProtocolVersion),
    Row::fact(&["unsupported sslv2"], TlsProtocolVersion).also(&[TlsHandshake, TlsNotTls]),
    // OpenSSL's names of the same alerts, and those of a server's log.
    Row::fact(&["alert protocol version"], TlsProtocolVersion),
    Row::fact(&["alert unknown ca"], TlsClientCertRequired).also(&[TlsUnknownAuthority]),
    Row::fact(&["alert bad certificate"], TlsClientCertRequired),
    Row::fact(&["alert certificate required"], TlsClientCertRequired),
    Row::fact(&["alert unrecognized name"], TlsHandshake),
    Row::fact(&["alert internal error"], TlsHandshake),
    Row::fact(&["ssl_do_handshake() failed"], TlsHandshake),
    Row::fact(&["ssl_error_syscall"], NetEof).also(&[TlsHandshake, NetReset]),
    Row::fact(&["unexpected eof while reading"], NetEof).also(&[TlsHandshake]),
    Row::fact(&["unsupported protocol", "tls"], TlsProtocolVersion).unless(&["unsupported protocol scheme"]),
    Row::fact(&["unsupported versions"], TlsProtocolVersion),
    Row::fact(&["selected unsupported protocol version"], TlsProtocolVersion),
    Row::fact(&["wrong version number"], TlsNotTls).also(&[TlsHttpResponseToHttps, TlsProtocolVersion]),
    Row::fact(&["handshake failure"], TlsHandshake).also(&[TlsProtocolVersion, TlsClientCertRequired]),
    Row::fact(&["no cipher suite supported"], TlsHandshake).also(&[TlsProtocolVersion]),
    Row::fact(&["insufficient security level"], TlsHandshake),
    Row::fact(&["remote error:", "internal error"], TlsHandshake),
    Row::fact(&["remote error:", "no application protocol"], TlsHandshake),
    Row::fact(&["remote error:", "illegal parameter"], TlsHandshake).also(&[TlsProtocolVersion]),
    Row::fact(&["remote error:", "unexpected message"], TlsHandshake).also(&[TlsNotTls]),
    Row::fact(&["remote error:", "decode error"], TlsHandshake),
    Row::fact(&["remote error:", "user canceled"], TlsHandshake),
    Row::fact(&["remote error:", "close notify"], TlsHandshake).also(&[NetEof]),
    Row::fact(&["unrecognized name"], TlsHandshake).also(&[TlsHostnameMismatch]),
    Row::fact(&["tls: unexpected message"], TlsHandshake).also(&[TlsNotTls]),
    Row::fact(&["server selected unsupported"], TlsHandshake).also(&[TlsProtocolVersion]),
    Row::fact(&["bad record mac"], TlsHandshake).also(&[NetReset]),
    Row::fact(&["tls handshake timeout"], TlsHandshakeTimeout).also(&[NetTimeout, NetMtuBlackhole]),
    // Other protocols.
    Row::fact(&["gave http response to https client"], TlsHttpResponseToHttps),
    Row::fact(&["first record does not look like a tls handshake"], TlsNotTls)
        .also(&[TlsHttpResponseToHttps]),
    Row::fact(&["oversized record received"], TlsNotTls).also(&[TlsHttpResponseToHttps]),
    Row::fact(&["packet length too long"], TlsNotTls).also(&[TlsHttpResponseToHttps]),
    Row::sentence(&["plain http request was sent to https port"], TlsHttpsRequired),
    Row::sentence(&["sent an http request to an https server"], TlsHttpsRequired),
    Row::sentence(&["speaking plain http to an ssl-enabled server port"], TlsHttpsRequired),
    Row::sentence(&["malformed http response", "x15"], TlsHttpsRequired),
    Row::fact(&["malformed http response"], RegistryBadResponse)
        .also(&[TlsHttpsRequired, RegistryNotARegistry]),
    Row::fact(&["malformed http status code"], RegistryBadResponse).also(&[RegistryNotARegistry]),
    // Files of certificates.
    Row::fact(&["to load ca "], TlsCaFileUnreadable),
    Row::fact(&["to read ca "], TlsCaFileUnreadable),
    Row::fact(&["unable to read cert file"], TlsCaFileUnreadable),
    Row::fact(&["unable to read key file"], TlsCaFileUnreadable),
    Row::fact(&["failed to load x509 key pair"], TlsCaFileUnreadable),
    Row::fact(&["private key does not match public key"], TlsCaFileUnreadable),
    Row::fact(&["found a certificate rather than a key"], TlsCaFileUnreadable),
    Row::fact(&["failed to find any pem data"], TlsCaFileUnreadable),
    Row::fact(&["could not append certs from pem"], TlsCaFileUnreadable),
    Row::fact(&["could not load x509 key pair"], TlsCaFileUnreadable),
    Row::fact(&["for client certificate", "missing key"], TlsCaFileUnreadable),
    Row::fact(&["missing client certificate"], TlsCaFileUnreadable),
    Row::fact(&["certs.d", "permission denied"], TlsCaFileUnreadable),
    Row::fact(&["certs.d", "no such file or directory"], TlsCaFileUnreadable),
    Row::fact(&["certs.d", "not a directory"], TlsCaFileUnreadable),
    Row::fact(&["certs.d", "is a directory"], TlsCaFileUnreadable),
    Row::fact(&[".crt", "no such file or directory"], TlsCaFileUnreadable).unless(&["mount", "volume"]),
    Row::fact(&[".pem", "no such file or directory"], TlsCaFileUnreadable).unless(&["mount", "volume"]),
    Row::fact(&["error setting certificate verify locations"], TlsCaFileUnreadable),
];
