//! How the runtime would go to its endpoints, secrets included: for a climb in this process, and never part of a report.

use emulate::containerd::{self, Login};
use report::node::Credential;
use secrecy::{ExposeSecret, SecretString};
use std::collections::BTreeMap;

/// Headers that are added to each request; their values may be credentials.
pub type Headers = Vec<(String, SecretString)>;

/// What a report leaves out because it may be secret. Debugging shows no value.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// The headers of each endpoint, in the report's order.
    pub headers: Vec<Headers>,
    /// The logins of the runtime's own configuration that go to each endpoint, as the report shows them.
    pub logins: Vec<Option<(Credential, Login)>>,
    environment: Option<BTreeMap<String, SecretString>>,
}

impl Way {
    /// Takes the headers of these endpoints.
    pub fn with_headers<'e>(endpoints: impl Iterator<Item = &'e containerd::Endpoint>) -> Self {
        Self { headers: endpoints.map(headers).collect(), ..Self::default() }
    }

    /// The login behind a credential of an endpoint, where it is one of the runtime's own configuration.
    pub fn login(&self, endpoint: usize, credential: &Credential) -> Option<&Login> {
        let (shown, login) = self.logins.get(endpoint)?.as_ref()?;
        (shown == credential).then_some(login)
    }

    /// Takes the runtime's variables that decide where it goes and whom it trusts.
    pub fn set_environment(&mut self, variables: impl Iterator<Item = (String, String)>) {
        self.environment = Some(variables.map(|(n, v)| (n, SecretString::from(v))).collect());
    }

    /// The runtime's own variables, user information in proxies included; `None` where they are not known.
    pub fn environment(&self) -> Option<impl Fn(&str) -> Option<String> + '_> {
        let known = self.environment.as_ref()?;
        Some(move |name: &str| known.get(name).map(|v| v.expose_secret().to_owned()))
    }
}

fn headers(endpoint: &containerd::Endpoint) -> Headers {
    let pairs = endpoint.headers.iter().flat_map(|(n, vs)| vs.iter().map(move |v| (n, v)));
    pairs.map(|(n, v)| (n.clone(), SecretString::from(v.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debugging_shows_no_value() {
        let mut way = Way::default();
        way.headers.push(vec![("Authorization".into(), SecretString::from("canary"))]);
        way.set_environment([("HTTPS_PROXY".to_owned(), "http://u:canary@p".to_owned())].into_iter());
        assert!(!format!("{way:?}").contains("canary"));
        assert_eq!(way.environment().unwrap()("HTTPS_PROXY").as_deref(), Some("http://u:canary@p"));
        assert!(Way::default().environment().is_none());
    }
}
