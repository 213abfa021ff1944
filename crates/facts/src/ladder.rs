//! The ladder: for one endpoint and image, each rung with what was seen on it.

use crate::Vantage;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use vocabulary::{Cause, Phase, Stage};

/// One climb from one vantage to one host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ladder {
    /// Who climbed.
    pub vantage: Vantage,
    /// Which request it served; the token service and the blob store have ladders of their own.
    pub phase: Phase,
    /// The URL that was asked for, without secrets.
    pub url: String,
    /// The image it was about, verbatim.
    pub image: String,
    /// When it began.
    pub at: Option<Timestamp>,
    /// Whether it leads to one of the endpoints that a client tries in turn: where another of them serves the image, its
    /// end fails no pull.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alternative: bool,
    /// The rungs, in order, those not reached included.
    pub rungs: Vec<Rung>,
    /// Ladders to other hosts that this one needed: token service, blob store.
    pub branches: Vec<Ladder>,
}

impl Ladder {
    /// The rung at which it ended: the first that failed. `None` when all passed.
    pub fn ended_at(&self) -> Option<&Rung> {
        self.rungs.iter().find(|r| matches!(r.outcome, Outcome::Failed { .. }))
    }

    /// The rung of a stage, where the ladder has one.
    pub fn rung(&self, stage: Stage) -> Option<&Rung> {
        self.rungs.iter().find(|r| r.stage == stage)
    }
}

/// One rung.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    /// Which.
    pub stage: Stage,
    /// How it went.
    pub outcome: Outcome,
    /// Milliseconds it took.
    pub took_ms: u64,
    /// What was seen, in order.
    pub seen: Vec<Fact>,
}

impl Rung {
    /// The first value that was seen under a name of [`seen`].
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.seen.iter().find(|f| f.name == name).map(|f| f.value.as_str())
    }

    /// Every value that was seen under a name of [`seen`], in order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.seen.iter().filter(move |f| f.name == name).map(|f| f.value.as_str())
    }
}

/// How a rung went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It held.
    Passed,
    /// It did not: the symptom, and the words that a Go client would print.
    Failed {
        /// What this observation shows.
        symptom: Cause,
        /// The error in the words of the field.
        error: String,
    },
    /// An earlier one failed.
    NotReached,
    /// It does not apply here.
    Skipped,
}

/// One thing seen on a rung: a name from a closed list of the probe, and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// `address`, `certificate.issuer`, `status`, `challenge.realm`, `header.server`.
    pub name: String,
    /// The value, bounded and without secrets.
    pub value: String,
}

/// The names that a probe gives to what it sees: the closed list behind [`Fact::name`].
///
/// Where a thing has several properties, its first fact opens a group and the following ones belong to it until the
/// next of the same name: every [`CERTIFICATE`] is followed by its issuer, dates and names. Answers are grouped
/// likewise by [`REQUEST`].
pub mod seen {
    /// The registry host that the reference names, with its port where it has one.
    pub const HOST: &str = "host";
    /// The repository, as it is asked for.
    pub const REPOSITORY: &str = "repository";
    /// The tag or digest that is asked for.
    pub const REFERENCE: &str = "reference";
    /// The scheme, host and port that are asked, where these are not the reference's own.
    pub const ENDPOINT: &str = "endpoint";

    /// Where credentials were looked for: a file, a helper, standard input.
    pub const CREDENTIALS_SOURCE: &str = "credentials.source";
    /// The key of the entry that matched.
    pub const CREDENTIALS_KEY: &str = "credentials.key";
    /// The user name that is sent.
    pub const CREDENTIALS_USER: &str = "credentials.user";
    /// `password`, `identity-token`, `registry-token`, `none`.
    pub const CREDENTIALS_KIND: &str = "credentials.kind";
    /// `accepted`, `refused` or `not-sent`, with the reason after a blank.
    pub const CREDENTIALS_OUTCOME: &str = "credentials.outcome";

    /// A source that could not be read, and why, after a colon.
    pub const CREDENTIALS_UNREADABLE: &str = "credentials.unreadable";

    /// A name that was looked up.
    pub const NAME: &str = "name";
    /// The order of sources that nsswitch.conf gives, as it stands there.
    pub const LOOKUP_ORDER: &str = "lookup.order";
    /// An address that the hosts file has for the name.
    pub const HOSTS_FILE: &str = "hosts-file";
    /// A resolver that was asked; opens a group.
    pub const RESOLVER: &str = "resolver";
    /// What it answered: addresses joined by blanks, or `nxdomain`, `nodata`, `servfail`, `refused`, `timeout`.
    pub const RESOLVER_ANSWER: &str = "resolver.answer";
    /// A canonical name on the way to the addresses.
    pub const CANONICAL_NAME: &str = "canonical-name";
    /// Whether resolvers gave different answers: `yes`.
    pub const RESOLVERS_DIFFER: &str = "resolvers.differ";

    /// An address and port that was tried; opens a group.
    pub const ADDRESS: &str = "address";
    /// How that went: `connected`, `refused`, `unreachable`, `reset`, `timeout`, or the system's words.
    pub const ADDRESS_OUTCOME: &str = "address.outcome";
    /// Whether an address that did not connect is one of this machine's own: `yes` or `no`.
    pub const OWN_ADDRESS: &str = "address.own";
    /// The address and port that everything after was sent to.
    pub const PEER: &str = "peer";
    /// The local address of that connection, without its port.
    pub const LOCAL: &str = "local";
    /// The proxy that the environment names for this URL, without credentials.
    pub const PROXY: &str = "proxy";
    /// The variable that names it.
    pub const PROXY_VARIABLE: &str = "proxy.variable";
    /// Why no proxy is used although one is set: the NO_PROXY entry, `loopback`.
    pub const PROXY_BYPASSED: &str = "proxy.bypassed";
    /// The proxy's status line to CONNECT.
    pub const PROXY_STATUS: &str = "proxy.status";
    /// The schemes of the proxy's `Proxy-Authenticate`.
    pub const PROXY_AUTHENTICATE: &str = "proxy.authenticate";
    /// Whether the proxy's own credentials were sent: `yes` or `no`.
    pub const PROXY_AUTHORIZATION_SENT: &str = "proxy.authorization-sent";

    /// The TLS version agreed on.
    pub const TLS_VERSION: &str = "tls.version";
    /// The cipher suite agreed on.
    pub const TLS_CIPHER: &str = "tls.cipher";
    /// Why the certificate would be refused, where the client is told to take any.
    pub const TLS_NOT_VERIFIED: &str = "tls.not-verified";
    /// The name sent to the server (SNI); `none` for addresses.
    pub const TLS_SERVER_NAME: &str = "tls.server-name";
    /// The alert that the server sent.
    pub const TLS_ALERT: &str = "tls.alert";
    /// Whether a second, smaller hello got through where the first did not: `yes` or `no`.
    pub const TLS_SMALL_HELLO: &str = "tls.small-hello";
    /// Whether the server asked for a client certificate: `yes`.
    pub const TLS_CLIENT_CERTIFICATE_ASKED: &str = "tls.client-certificate-asked";
    /// Whether one was sent: `yes` or `no`.
    pub const TLS_CLIENT_CERTIFICATE_SENT: &str = "tls.client-certificate-sent";
    /// The first bytes of a peer that speaks something else, escaped.
    pub const FIRST_BYTES: &str = "first-bytes";
    /// The subject of a presented certificate; opens a group.
    pub const CERTIFICATE: &str = "certificate";
    /// Its issuer.
    pub const CERTIFICATE_ISSUER: &str = "certificate.issuer";
    /// Its serial number, hexadecimal.
    pub const CERTIFICATE_SERIAL: &str = "certificate.serial";
    /// The begin of its validity.
    pub const CERTIFICATE_NOT_BEFORE: &str = "certificate.not-before";
    /// The end of its validity.
    pub const CERTIFICATE_NOT_AFTER: &str = "certificate.not-after";
    /// One of its names: `DNS:registry.example.com`, `IP:192.0.2.1`.
    pub const CERTIFICATE_NAME: &str = "certificate.name";
    /// Its key: `RSA 2048`, `ECDSA P-256`.
    pub const CERTIFICATE_KEY: &str = "certificate.key";
    /// How it is signed: `SHA256-RSA`.
    pub const CERTIFICATE_SIGNATURE: &str = "certificate.signature";
    /// Whether it may sign others: `yes` or `no`.
    pub const CERTIFICATE_CA: &str = "certificate.ca";
    /// What its extended key usage allows.
    pub const CERTIFICATE_USAGE: &str = "certificate.usage";
    /// SHA-256 of the whole certificate, hexadecimal.
    pub const CERTIFICATE_FINGERPRINT: &str = "certificate.fingerprint";
    /// Where its issuer's certificate can be had.
    pub const CERTIFICATE_ISSUER_AT: &str = "certificate.issuer-at";
    /// Whether subject and issuer are the same: `yes`.
    pub const CERTIFICATE_SELF_ISSUED: &str = "certificate.self-issued";
    /// How many certificates were presented.
    pub const CHAIN_LENGTH: &str = "chain.length";
    /// The issuer that is neither presented nor among the roots.
    pub const CHAIN_MISSING_ISSUER: &str = "chain.missing-issuer";
    /// A known interception product whose name stands in an issuer.
    pub const CHAIN_INTERCEPTOR: &str = "chain.interceptor";
    /// The bundle that the roots came from; one fact each.
    pub const ROOTS_FROM: &str = "roots.from";
    /// How many roots were trusted.
    pub const ROOTS_COUNT: &str = "roots.count";

    /// A request, `GET https://registry.example.com/v2/`; opens a group.
    pub const REQUEST: &str = "request";
    /// The status and its reason: `401 Unauthorized`.
    pub const STATUS: &str = "status";
    /// What was sent as authorization: `none`, `basic`, `bearer`.
    pub const AUTHORIZATION_SENT: &str = "authorization.sent";
    /// A header of the answer follows the dot: `header.server`.
    pub const HEADER_PREFIX: &str = "header.";
    /// The begin of a body that is not the API's, or the message of an error that is.
    pub const BODY: &str = "body";
    /// The kind of the body: `json`, `html`, `text`, `empty`.
    pub const BODY_KIND: &str = "body.kind";
    /// An error code of the registry API.
    pub const ERROR_CODE: &str = "error.code";
    /// Its message.
    pub const ERROR_MESSAGE: &str = "error.message";
    /// Where the answer redirects to, without query values.
    pub const LOCATION: &str = "location";
    /// The scheme of a challenge: `Bearer`, `Basic`.
    pub const CHALLENGE: &str = "challenge";
    /// Its realm.
    pub const CHALLENGE_REALM: &str = "challenge.realm";
    /// Its service.
    pub const CHALLENGE_SERVICE: &str = "challenge.service";
    /// Its scope.
    pub const CHALLENGE_SCOPE: &str = "challenge.scope";
    /// Its error: `insufficient_scope`, `invalid_token`.
    pub const CHALLENGE_ERROR: &str = "challenge.error";
    /// A product that the answers look like: `harbor`, `distribution`.
    pub const PRODUCT: &str = "product";
    /// What shows the product.
    pub const PRODUCT_SHOWN_BY: &str = "product.shown-by";
    /// Whether plain HTTP was used after TLS was answered with HTTP: `yes`.
    pub const PLAIN_FALLBACK: &str = "plain-fallback";

    /// Seconds by which the peer's `Date` is ahead of the local clock (negative: behind).
    pub const CLOCK_OFFSET: &str = "clock.offset-seconds";
    /// Seconds by which the token service's `Date` is ahead of the registry's.
    pub const CLOCK_TOKEN_AGAINST_REGISTRY: &str = "clock.token-against-registry-seconds";

    /// `jwt` or `opaque`.
    pub const TOKEN_KIND: &str = "token.kind";
    /// Who it says issued it.
    pub const TOKEN_ISSUER: &str = "token.issuer";
    /// Whom it is for.
    pub const TOKEN_AUDIENCE: &str = "token.audience";
    /// Whom it is about; empty for anonymous.
    pub const TOKEN_SUBJECT: &str = "token.subject";
    /// When it expires.
    pub const TOKEN_EXPIRES: &str = "token.exp";
    /// When it begins to hold.
    pub const TOKEN_NOT_BEFORE: &str = "token.nbf";
    /// When it was issued.
    pub const TOKEN_ISSUED: &str = "token.iat";
    /// An access that it grants: `repository:team/app:pull`.
    pub const TOKEN_GRANTS: &str = "token.grants";
    /// What was asked for: `repository:team/app:pull`.
    pub const TOKEN_ASKED: &str = "token.asked";
    /// Whether it grants what was asked: `yes`, `no`, `unknown` for opaque ones.
    pub const TOKEN_SUFFICES: &str = "token.suffices";
    /// Seconds that the answer says it holds.
    pub const TOKEN_LIFETIME: &str = "token.expires-in";
    /// Why credentials were kept back from the token service.
    pub const REALM_REFUSED: &str = "realm.refused";

    /// A limit as the registry states it: `100;w=21600`.
    pub const RATE_LIMIT: &str = "rate.limit";
    /// What is left of it.
    pub const RATE_REMAINING: &str = "rate.remaining";
    /// Whom it counts for.
    pub const RATE_SOURCE: &str = "rate.source";
    /// When to come back.
    pub const RETRY_AFTER: &str = "retry-after";
    /// Whether the GET of the manifest counts as a pull there: `yes`.
    pub const COUNTS_AS_PULL: &str = "counts-as-pull";

    /// The status that HEAD got, where GET got another.
    pub const HEAD_STATUS: &str = "head.status";
    /// The status that GET got, where HEAD got another.
    pub const GET_STATUS: &str = "get.status";
    /// The media type of the manifest.
    pub const MEDIA_TYPE: &str = "media-type";
    /// The digest of what was received.
    pub const DIGEST: &str = "digest";
    /// The digest that was asked for or stated, where it differs.
    pub const DIGEST_EXPECTED: &str = "digest.expected";
    /// Bytes received.
    pub const SIZE: &str = "size";
    /// Bytes that the manifest or a header states.
    pub const SIZE_EXPECTED: &str = "size.expected";
    /// A platform that the image has: `linux/amd64`.
    pub const PLATFORM: &str = "platform";
    /// The platform that was looked for.
    pub const PLATFORM_WANTED: &str = "platform.wanted";
    /// A blob that was asked for.
    pub const BLOB: &str = "blob";
    /// How many tags the repository lists.
    pub const TAGS_COUNT: &str = "tags.count";
    /// A tag whose name is near the missing one.
    pub const TAGS_NEAR: &str = "tags.near";
    /// Whether the repository exists, where its tag list tells: `yes` or `no`.
    pub const REPOSITORY_EXISTS: &str = "repository.exists";
}
