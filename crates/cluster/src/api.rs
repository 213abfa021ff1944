//! One request to the API server: bytes, or the reason why there are none. Every request has a deadline and a size.

use crate::error::{chain, plain};
use facts::Why;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Limited};
use kube::Client;
use kube::client::{AuthError, Body};
use serde::Deserialize;
use std::time::Duration;

/// The largest answer that is taken: a page of 500 of the fattest pods stays well below.
const ANSWER_LIMIT: usize = 256 << 20;

/// How the server is asked to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum As {
    /// The objects themselves.
    Objects,
    /// A table with each row's metadata: the one form that shows a secret's type and leaves its values on the server.
    Table,
    /// Whatever there is: a log is no object.
    Text,
}

impl As {
    fn accept(self) -> &'static str {
        match self {
            Self::Objects => "application/json",
            Self::Table => "application/json;as=Table;v=v1;g=meta.k8s.io",
            Self::Text => "*/*",
        }
    }
}

/// Asks the API server.
#[derive(Clone)]
pub(crate) struct Api {
    client: Client,
    timeout: Duration,
}

/// Why a request gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The server answered with an error.
    Status {
        /// The HTTP status.
        code: u16,
        /// Its words.
        message: String,
        /// After an expired page: where to go on, if the client can live with a list that changed meanwhile.
        continue_at: Option<String>,
    },
    /// No whole answer within the deadline.
    TimedOut,
    /// The connection failed.
    Broken(String),
    /// Nothing was sent: the credentials that the kubeconfig describes could not be had.
    NoLogin(String),
    /// The answer was larger than any list is.
    TooLarge,
}

impl Failure {
    /// Which kind of absence this is.
    pub fn why(&self) -> Why {
        match self {
            Self::Status { code: 401 | 403, .. } => Why::Forbidden,
            Self::Status { code: 408 | 504, .. } | Self::TimedOut => Why::TimedOut,
            Self::Status { .. } | Self::Broken(_) | Self::NoLogin(_) => Why::Failed,
            Self::TooLarge => Why::Truncated,
        }
    }

    /// The source's own words.
    pub fn words(&self) -> String {
        match self {
            Self::Status { code, message, .. } if message.is_empty() => format!("HTTP status {code}"),
            Self::Status { message, .. } => message.clone(),
            Self::TimedOut => "no answer within the deadline".to_owned(),
            Self::Broken(words) | Self::NoLogin(words) => words.clone(),
            Self::TooLarge => format!("an answer of more than {} MiB", ANSWER_LIMIT >> 20),
        }
    }

    /// The HTTP status, where the server answered.
    pub fn code(&self) -> Option<u16> {
        match self {
            Self::Status { code, .. } => Some(*code),
            Self::TimedOut | Self::Broken(_) | Self::NoLogin(_) | Self::TooLarge => None,
        }
    }
}

/// Why a request got no answer, without the client library's own name for it.
fn unsent(error: kube::Error) -> Failure {
    match error {
        kube::Error::Service(inner) if inner.is::<AuthError>() => Failure::NoLogin(chain(&*inner)),
        kube::Error::Service(inner) => Failure::Broken(chain(&*inner)),
        other => Failure::Broken(chain(&other)),
    }
}

/// `metav1.Status`, what of it is used.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Status {
    message: String,
    metadata: StatusMeta,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusMeta {
    #[serde(rename = "continue")]
    continue_at: String,
}

impl Api {
    /// Asks through this client; `timeout` holds for each request.
    pub fn new(client: Client, timeout: Duration) -> Self {
        Self { client, timeout }
    }

    /// A GET of a path with its query.
    ///
    /// # Errors
    /// See [`Failure`].
    pub async fn get(&self, path: &str, form: As) -> Result<Vec<u8>, Failure> {
        let request = Request::get(path)
            .header(http::header::ACCEPT, form.accept())
            .body(Body::empty())
            .map_err(|e| Failure::Broken(plain(&e.to_string())))?;
        match tokio::time::timeout(self.timeout, self.answer(request)).await {
            Ok(answer) => answer,
            Err(_) => Err(Failure::TimedOut),
        }
    }

    async fn answer(&self, request: Request<Body>) -> Result<Vec<u8>, Failure> {
        let response = self.client.send(request).await.map_err(unsent)?;
        let status = response.status();
        let body = match Limited::new(response.into_body(), ANSWER_LIMIT).collect().await {
            Ok(body) => body.to_bytes(),
            Err(e) if e.is::<http_body_util::LengthLimitError>() => return Err(Failure::TooLarge),
            Err(e) => return Err(Failure::Broken(chain(&*e))),
        };
        if status == StatusCode::OK {
            return Ok(body.into());
        }
        let said: Status = serde_json::from_slice(&body).unwrap_or_default();
        Err(Failure::Status {
            code: status.as_u16(),
            message: plain(&said.message),
            continue_at: Some(said.metadata.continue_at).filter(|c| !c.is_empty()),
        })
    }
}

/// A value for a query: everything but unreserved characters is escaped.
pub(crate) fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn escapes_what_would_end_a_value() {
        assert_eq!(escaped("app=web,tier in (a&b)"), "app%3Dweb%2Ctier%20in%20%28a%26b%29");
    }
}
