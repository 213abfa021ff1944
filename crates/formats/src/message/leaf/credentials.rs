//! Pull secrets, credential providers and helpers, credential files.

use super::super::row::Row;
use vocabulary::Cause::*;

pub(crate) const ROWS: &[Row] = &[
    Row::fact(&["pull secret", "unable to retrieve"], CredentialsSecretMissing)
        .also(&[CredentialsWrongNamespace]),
    Row::fact(&["unable to retrieve some image pull secrets"], CredentialsSecretMissing)
        .also(&[CredentialsWrongNamespace]),
    Row::fact(&["failedtoretrieveimagepullsecret"], CredentialsSecretMissing)
        .also(&[CredentialsWrongNamespace]),
    Row::fact(&["couldn't get pull secret"], CredentialsSecretMissing).also(&[CredentialsWrongNamespace]),
    // Content that does not decode. A client's warning about its own file wins over the refusal that follows.
    Row::sentence(&["illegal base64 data"], CredentialsMalformed),
    // A secret's own JSON: the kubelet says its parser's words and no more.
    Row::sentence(&["invalid character", "in string literal"], CredentialsMalformed)
        .also(&[RegistryBadResponse])
        .unless(&["response"]),
    Row::sentence(&["unable to parse auth field"], CredentialsMalformed),
    Row::sentence(&["invalid decoded auth"], CredentialsMalformed),
    // A line break in a password or token (net/http `transport.go`).
    Row::fact(&["invalid header field value", "authorization"], CredentialsUsernameMangled)
        .near()
        .also(&[CredentialsMalformed, AuthBadCredentials]),
    Row::sentence(&["invalid auth configuration file"], CredentialsMalformed),
    Row::sentence(&["error loading config file", ".docker"], CredentialsMalformed),
    Row::sentence(&["error parsing config file", ".docker"], CredentialsMalformed),
    Row::sentence(&["cannot unmarshal", "dockerconfig"], CredentialsMalformed),
    Row::sentence(&["cannot unmarshal", "go struct field configfile.auths"], CredentialsMalformed),
    Row::sentence(&["unmarshaling json", "auth.json"], CredentialsMalformed),
    Row::sentence(&["auth.json", "invalid character"], CredentialsMalformed),
    Row::sentence(&["config.json", "invalid character"], CredentialsMalformed),
    Row::sentence(&["dockerconfigjson", "invalid"], CredentialsMalformed),
    Row::sentence(&["parsing docker config"], CredentialsMalformed),
    // Plugins of the kubelet, helpers of the clients.
    Row::fact(&["credential provider plugin"], CredentialsProviderFailed),
    Row::fact(&["credential provider plugin", "no such file or directory"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["credential provider plugin", "executable file not found"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["credential provider plugin", "permission denied"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["credential provider plugin", "exec format error"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["credential provider plugin", "apiversion"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["credential provider plugin", "api version"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["plugin binary", "did not exist"], CredentialsProviderMisconfigured),
    Row::fact(&["credentialproviderrequest"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["credentialproviderresponse"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["error getting credential provider"], CredentialsProviderFailed),
    Row::fact(&["getting credential from external registry credential provider"], CredentialsProviderFailed),
    Row::fact(&["error getting credentials - err:"], CredentialsProviderFailed),
    Row::fact(&["error getting credentials", "executable file not found"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["docker-credential-", "executable file not found"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(
        &["docker-credential-", "resolves to executable in current directory"],
        CredentialsProviderMisconfigured,
    )
    .also(&[CredentialsProviderFailed]),
    Row::fact(&["docker-credential-", "no such file"], CredentialsProviderMisconfigured)
        .also(&[CredentialsProviderFailed]),
    Row::fact(&["docker-credential-"], CredentialsProviderFailed),
    Row::fact(&["credential helper", "failed"], CredentialsProviderFailed),
    Row::fact(&["getting auth creds"], CredentialsProviderFailed),
    Row::fact(&["unable to get aws credentials"], CredentialsProviderFailed),
    Row::fact(&["nocredentialproviders"], CredentialsProviderFailed),
    Row::fact(&["no ec2 imds role found"], CredentialsProviderFailed),
    Row::fact(&["failed to refresh cached credentials"], CredentialsProviderFailed),
    Row::fact(&["failed to retrieve credentials"], CredentialsProviderFailed),
];
