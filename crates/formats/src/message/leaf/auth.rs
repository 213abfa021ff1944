//! Who asks: challenges, tokens, user names and passwords, and the words for "not you".

use super::super::marks::Mark;
use super::super::row::Row;
use vocabulary::Cause::{self, *};

const UNAUTHORIZED: &[Cause] = &[AuthBadCredentials, AuthNoCredentials, AuthRepositoryMissingAs401];
/// Sentences that ask for a user name, or say that there is none.
const ASKED: &[&str] = &["must provide", "please enter", "username: ", "without a username"];
/// The same; a page that is no JSON is no statement about what was sent, whatever words are on it.
const ASKED_OR_PAGE: &[&str] =
    &["must provide", "please enter", "username: ", "without a username", "invalid character"];
const DENIED: &[Cause] =
    &[AuthRepositoryMissingAs401, AuthBadCredentials, AuthNoCredentials, AuthzDeniedOrMissing];
const OPEN: &[Cause] = &[AuthzDenied, RepositoryUnknown, AuthNoCredentials, AuthRepositoryMissingAs401];

pub(crate) const ROWS: &[Row] = &[
    // 401 in words.
    Row::code(&["|unauthorized"], AuthUnauthorized).begin().also(UNAUTHORIZED),
    Row::code(&["|authentication required"], AuthUnauthorized)
        .also(UNAUTHORIZED)
        .unless(&["proxy authentication required"]),
    Row::code(&["authentication is required"], AuthUnauthorized).also(UNAUTHORIZED),
    Row::code(&["requested resource is not authorized"], AuthUnauthorized).also(&[
        AuthBadCredentials,
        AuthNoCredentials,
        AuthRepositoryMissingAs401,
        AuthzDenied,
    ]),
    Row::code(&["unauthorized to access repository"], AuthUnauthorized).also(&[
        AuthBadCredentials,
        AuthNoCredentials,
        AuthRepositoryMissingAs401,
        AuthzDenied,
    ]),
    Row::code(&["not authorized"], AuthUnauthorized)
        .also(UNAUTHORIZED)
        .unless(&["not authorized to perform", "not authorized to sign"]),
    Row::code(&["unauthorized to "], AuthUnauthorized).also(UNAUTHORIZED),
    Row::code(&["please login to the registry"], AuthUnauthorized).also(UNAUTHORIZED),
    // Nothing was sent.
    Row::fact(&["no basic auth credentials"], AuthNoCredentials).also(&[AuthUnauthorized]),
    Row::fact(&["unauthenticated requests"], AuthNoCredentials).also(&[AuthUnauthorized]),
    Row::fact(&["anonymous users are only allowed"], AuthNoCredentials)
        .also(&[AuthUnauthorized, AuthzDenied]),
    Row::fact(&["anonymous caller"], AuthNoCredentials).also(&[AuthzDenied]),
    Row::fact(&["no credentials found"], AuthNoCredentials),
    Row::fact(&["missing username or secret"], AuthNoCredentials)
        .also(&[CredentialsMalformed, AuthUnauthorized]),
    Row::fact(&["credentials not found in native keychain"], AuthNoCredentials)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["you must be logged in"], AuthNoCredentials)
        .also(&[AuthUnauthorized])
        .unless(&["to the server"]),
    Row::fact(&["not logged in"], AuthNoCredentials).also(&[AuthUnauthorized]),
    Row::fact(&["please login first"], AuthNoCredentials).also(&[AuthUnauthorized]),
    // Harbor (`server/middleware/v2auth`).
    Row::fact(&["authorize header needed"], AuthNoCredentials).also(&[AuthUnauthorized]),
    // What was sent is wrong: a word for wrong, close to a word for what was sent.
    Row::sentence(&["|incorrect ", "username"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|incorrect ", "user name|"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|incorrect ", "password"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|incorrect ", "login"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|invalid ", "username"], AuthBadCredentials).near().unless(ASKED_OR_PAGE),
    Row::sentence(&["|invalid ", "user name|"], AuthBadCredentials).near().unless(ASKED_OR_PAGE),
    Row::sentence(&["|invalid ", "password"], AuthBadCredentials).near().unless(ASKED_OR_PAGE),
    Row::sentence(&["|invalid ", "login"], AuthBadCredentials).near().unless(ASKED_OR_PAGE),
    Row::sentence(&["|wrong ", "username"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|wrong ", "user name|"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|wrong ", "password"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|wrong ", "login"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|bad ", "username"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|bad ", "user name|"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|bad ", "password"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|unknown username"], AuthBadCredentials),
    Row::sentence(&["|unknown user name"], AuthBadCredentials),
    Row::sentence(&["|unknown password"], AuthBadCredentials),
    Row::sentence(&["username", "incorrect"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["username", "invalid"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["username", "is wrong"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["username", "not match"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["username", "not valid"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["username", "mismatch"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["user name|", "incorrect"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["user name|", "invalid"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["user name|", "is wrong"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["user name|", "not match"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["user name|", "not valid"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["user name|", "mismatch"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["password", "incorrect"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["password", "invalid"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["password", "is wrong"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["password", "not match"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["password", "not valid"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["password", "mismatch"], AuthBadCredentials).near().unless(ASKED),
    Row::sentence(&["|invalid ", "client secret"], AuthBadCredentials).near(),
    Row::sentence(&["|invalid ", "client id"], AuthBadCredentials).near(),
    Row::sentence(&["bad credential"], AuthBadCredentials),
    // Artifactory's code.
    Row::sentence(&["bad_credential"], AuthBadCredentials).also(&[AuthUnauthorized]),
    // A password where only a token will do.
    Row::sentence(&["must log in with"], AuthBadCredentials).also(&[AuthUnauthorized]),
    Row::sentence(&["must login with"], AuthBadCredentials).also(&[AuthUnauthorized]),
    Row::sentence(&["invalid credentials"], AuthBadCredentials).unless(&["may have invalid credentials"]),
    Row::sentence(&["incorrect credentials"], AuthBadCredentials),
    Row::sentence(&["wrong credentials"], AuthBadCredentials),
    Row::sentence(&["credentials are invalid"], AuthBadCredentials),
    Row::sentence(&["credentials are incorrect"], AuthBadCredentials),
    Row::sentence(&["credentials are not valid"], AuthBadCredentials),
    Row::sentence(&["credentials are not correct"], AuthBadCredentials),
    Row::sentence(&["token is incorrect"], AuthBadCredentials),
    Row::sentence(&["user not found"], AuthBadCredentials),
    Row::sentence(&["user does not exist"], AuthBadCredentials),
    Row::sentence(&["http basic: access denied"], AuthBadCredentials).also(&[CredentialsExpired]),
    Row::sentence(&["could not find robot"], AuthBadCredentials),
    Row::sentence(&["account is not active"], AuthBadCredentials).also(&[AuthUnauthorized]),
    Row::sentence(&["account", "disabled"], AuthBadCredentials).near().also(&[AuthUnauthorized]),
    Row::sentence(&["application not registered with aad"], AuthBadCredentials),
    Row::sentence(&["user cannot be authenticated with the token"], AuthBadCredentials)
        .also(&[CredentialsExpired]),
    Row::sentence(&["failed to verify token"], AuthTokenRejected).also(&[AuthBadCredentials]),
    Row::sentence(&["failed to authenticate"], AuthBadCredentials).also(&[AuthUnauthorized]),
    Row::sentence(&["login attempt", "failed with status: 401"], AuthUnauthorized).also(UNAUTHORIZED),
    Row::sentence(&["token has expired"], CredentialsExpired).unless(&["oidc", "id token has expired"]),
    Row::sentence(&["token is expired"], CredentialsExpired).also(&[AuthTokenRejected]),
    Row::sentence(&["access token", "expired"], CredentialsExpired).also(&[AuthBadCredentials]),
    Row::sentence(&["credentials", "have expired"], CredentialsExpired),
    Row::sentence(&["expiredtoken"], CredentialsExpired),
    Row::sentence(&["client secret", "expired"], CredentialsExpired).near().also(&[AuthBadCredentials]),
    Row::sentence(&["account", "has expired"], CredentialsExpired).also(&[AuthBadCredentials]),
    Row::sentence(&["offline session not active"], AuthOidcSessionExpired),
    Row::sentence(&["offline user session not found"], AuthOidcSessionExpired),
    Row::sentence(&["oidc", "expired"], AuthOidcSessionExpired).also(&[CredentialsExpired]),
    Row::sentence(&["requesttimetooskewed"], AuthClockSkew).also(&[ClockNode]),
    Row::sentence(&["signature expired:"], AuthClockSkew).also(&[ClockNode]),
    Row::sentence(&["signature not yet current"], AuthClockSkew).also(&[ClockNode]),
    Row::sentence(&["difference between the request time and the"], AuthClockSkew).also(&[ClockNode]),
    Row::sentence(&["token used before issued"], AuthClockSkew).also(&[AuthTokenRejected]),
    Row::sentence(&["token is not valid yet"], AuthClockSkew).also(&[AuthTokenRejected]),
    // Challenges.
    Row::fact(&["no realm specified"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    Row::fact(&["specified for token auth challenge"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    // Go's net/url on a realm that is none; proxies and mirrors have names of their own for it.
    Row::fact(&["in host name", "/token"], AuthChallengeInvalid).also(&[AuthRealmMisconfigured]),
    Row::fact(&["unsupported protocol scheme", "/token?"], AuthChallengeInvalid)
        .also(&[AuthRealmMisconfigured, RegistryBadResponse]),
    Row::fact(&["missing realm"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    Row::fact(&["invalid token auth challenge realm"], AuthChallengeInvalid).also(&[AuthRealmMisconfigured]),
    Row::fact(&["unsupported auth scheme"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    Row::fact(&["malformed challenge"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    Row::fact(&["unrecognized challenge"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    Row::fact(&["unrecognized authentication challenge"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    Row::fact(&["no successful auth challenge for", "errors: []"], AuthChallengeInvalid)
        .also(&[AuthUnauthorized]),
    Row::fact(&["find supported auth scheme"], AuthChallengeInvalid).also(&[AuthUnauthorized]),
    Row::fact(&["unsupported challenge"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    Row::fact(&["malformed auth challenge"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    Row::fact(&["www-authenticate"], AuthChallengeInvalid)
        .also(&[RegistryBadResponse, AuthRealmMisconfigured]),
    Row::fact(&["no auth challenge"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    Row::fact(&["no supported auth challenge"], AuthChallengeInvalid).also(&[RegistryBadResponse]),
    // Tokens.
    Row::fact(&["server message: insufficient_scope"], AuthInsufficientScope).also(&[
        AuthzDeniedOrMissing,
        AuthzDenied,
        RepositoryUnknown,
        AuthNoCredentials,
        AuthRepositoryMissingAs401,
    ]),
    Row::fact(&["insufficient_scope"], AuthInsufficientScope).also(&[
        AuthzDeniedOrMissing,
        AuthzDenied,
        RepositoryUnknown,
        AuthNoCredentials,
        AuthRepositoryMissingAs401,
    ]),
    Row::fact(&["insufficient scope"], AuthInsufficientScope).also(&[AuthzDenied]),
    Row::fact(&["invalid_token"], AuthTokenRejected).also(&[AuthUnauthorized, AuthClockSkew]),
    Row::fact(&["invalid token|"], AuthTokenRejected).also(&[AuthUnauthorized, AuthBadCredentials]),
    Row::fact(&["invalid bearer token"], AuthTokenRejected).also(&[AuthUnauthorized]),
    Row::fact(&["does not match bearer token"], AuthTokenRejected)
        .also(&[AuthInsufficientScope, AuthUnauthorized]),
    Row::fact(&["did not include a token"], AuthTokenRejected).also(&[RegistryBadResponse]),
    Row::fact(&["no token in response"], AuthTokenRejected).also(&[RegistryBadResponse]),
    Row::fact(&["no token in bearer response"], AuthTokenRejected).also(&[RegistryBadResponse]),
    Row::fact(&["unable to decode token response"], RegistryBadResponse).also(&[AuthTokenRejected]),
    Row::fact(&["token signed by untrusted key"], AuthTokenRejected),
    Row::fact(&["|validate token"], AuthTokenRejected).also(&[AuthUnauthorized, CredentialsExpired]),
    Row::fact(&["invalid_grant"], AuthTokenRejected).also(&[AuthBadCredentials, CredentialsExpired]),
    Row::hint(&["token exchange failed"], AuthTokenRejected).also(&[AuthzDenied, AuthBadCredentials]),
    // 403 in words, and words that leave it open.
    Row::stock(&["|denied|"], AuthzDenied).begin().also(DENIED).unless(&["admission webhook"]),
    Row::stock(&["requested access to the resource is denied"], AuthzDenied).also(&[
        AuthzDeniedOrMissing,
        AuthNoCredentials,
        AuthUnauthorized,
        AuthRepositoryMissingAs401,
        RepositoryUnknown,
    ]),
    Row::code(&["access forbidden"], AuthzDenied).also(DENIED),
    Row::code(&["access denied|"], AuthzDenied).also(DENIED).unless(&[
        "pull access denied",
        "push access denied",
        "basic: access denied",
        "tls: access denied",
        "access denied for user",
    ]),
    Row::code(&["permission_denied"], AuthzDenied).also(DENIED),
    Row::code(&["|forbidden"], AuthzDenied)
        .begin()
        .also(DENIED)
        .unless(&["cannot get resource", "is forbidden:"]),
    Row::guess(&["pull access denied"], AuthzDeniedOrMissing).also(OPEN),
    Row::guess(&["push access denied"], PushDenied).also(&[AuthzDenied, AuthNoCredentials, AuthUnauthorized]),
    Row::guess(&["or it may not exist"], AuthzDeniedOrMissing).also(OPEN),
    Row::guess(&["may not exist or may require"], AuthzDeniedOrMissing).also(OPEN),
    Row::guess(&["repository does not exist or may require"], AuthzDeniedOrMissing)
        .also(OPEN)
        .unless(&["push access denied"]),
    Row::guess(&["(or it may not exist)"], AuthzDeniedOrMissing).also(OPEN),
    Row::sentence(&["permission", "may not exist"], AuthzDeniedOrMissing)
        .near()
        .also(OPEN)
        .unless(&["unauthenticated requests"]),
    Row::sentence(&["verify that it exists"], AuthzDeniedOrMissing).also(OPEN),
    Row::guess(&["does not exist or you do not have"], AuthzDeniedOrMissing).also(OPEN),
    Row::fact(&["does not exist or no pull access"], AuthzDeniedOrMissing).also(OPEN),
    Row::guess(&["not found or access denied"], AuthzDeniedOrMissing).also(OPEN),
    // An identity without a permission.
    // IAM says it of every service; of the actions of ECR that are a pull or a push, or where one was under way.
    Row::sentence(&["is not authorized to perform", ":getauthorizationtoken"], AuthzDenied)
        .near()
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform", ":batchgetimage"], AuthzDenied)
        .near()
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform", ":getdownloadurlforlayer"], AuthzDenied)
        .near()
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform", ":batchchecklayer"], AuthzDenied)
        .near()
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform", ":batchimportupstream"], AuthzDenied)
        .near()
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform", ":initiatelayerupload"], AuthzDenied)
        .near()
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform", ":uploadlayerpart"], AuthzDenied)
        .near()
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform", ":completelayerupload"], AuthzDenied)
        .near()
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform", "ecr:putimage"], AuthzDenied)
        .near()
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform"], AuthzDenied)
        .during(Mark::Pulling)
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform"], AuthzDenied)
        .during(Mark::Push)
        .also(&[AuthUnauthorized]),
    Row::sentence(&["is not authorized to perform"], AuthzDenied)
        .during(Mark::Provider)
        .also(&[AuthUnauthorized]),
    Row::sentence(&["have the needed permissions"], AuthzDenied)
        .also(&[AuthUnauthorized, AuthBadCredentials]),
    Row::sentence(&["operation was disallowed on"], AuthzDenied)
        .also(&[ManifestBlocked, RegistryUnexpectedStatus]),
    Row::sentence(&["not have permission"], AuthzDenied)
        .also(&[AuthUnauthorized])
        .unless(&["unauthenticated requests"]),
    Row::sentence(&["permission", "denied on resource"], AuthzDenied)
        .also(&[AuthzDeniedOrMissing, AuthUnauthorized])
        .unless(&["or it may not exist"]),
    Row::sentence(&["permission", "denied for"], AuthzDenied).also(&[AuthUnauthorized]).unless(&[
        "denied for table",
        "denied for schema",
        "denied for relation",
        "denied for database",
    ]),
    Row::sentence(&["accessdeniedexception"], AuthzDenied).also(&[AuthUnauthorized]),
    Row::sentence(&["must have permission"], AuthzDenied).also(&[AuthzDeniedOrMissing, AuthUnauthorized]),
    Row::sentence(&["insufficient permission"], AuthzDenied).also(&[AuthUnauthorized]),
    Row::sentence(&["not enough permissions"], AuthzDenied),
    Row::sentence(&["does not match expected scopes"], AuthzDenied).also(&[AuthBadCredentials]),
    Row::sentence(&["is not allowed access"], AuthzIpBlocked),
    Row::sentence(&["client with ip"], AuthzIpBlocked),
    Row::sentence(&["ip address", "not allowed"], AuthzIpBlocked),
    // GitHub's words for an organization's or enterprise's list, and those of others for the same.
    Row::sentence(&["ip address", "not permitted"], AuthzIpBlocked),
    Row::sentence(&["ip address", "not authorized"], AuthzIpBlocked),
    Row::sentence(&["ip address", "not whitelisted"], AuthzIpBlocked),
    Row::sentence(&["ip address", "not in the allow"], AuthzIpBlocked),
    Row::sentence(&["ip allow list enabled"], AuthzIpBlocked),
    Row::sentence(&["blocked by", "firewall"], AuthzBlockedByGateway),
    Row::sentence(&["web page blocked"], AuthzBlockedByGateway),
    // Google's front end, before what stands behind it is asked.
    Row::sentence(&["your client does not have permission to get url"], AuthzBlockedByGateway)
        .also(&[AuthzIpBlocked, AuthzDenied]),
    Row::sentence(&["url blocked"], AuthzBlockedByGateway),
    Row::sentence(&["request rejected", "support id"], AuthzBlockedByGateway),
    Row::sentence(&["attention required! | cloudflare"], AuthzBlockedByGateway),
];
