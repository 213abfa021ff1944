//! What all handlers of one run share.

use crate::Fault;
use crate::body::{Answer, Handled};
use crate::image::Image;
use crate::running::Login;
use crate::token::{SKEW, Signer};
use http::{Response, StatusCode, header};
use jiff::Timestamp;
use serde_json::json;

/// The repository that the registry holds.
pub(crate) const REPOSITORY: &str = "team/app";
/// The other one, whose image is sound whatever the fault.
pub(crate) const CONTROL: &str = "team/base";

/// One run's state. Nothing in it changes.
pub(crate) struct Site {
    pub fault: Fault,
    /// `registry.example.com:8443`.
    pub registry: String,
    /// `auth.example.com:8444`.
    pub service: String,
    /// `blobs.example.com:8445`: nothing listens there.
    pub store: String,
    pub image: Image,
    pub control: Image,
    pub signer: Signer,
    /// The login that the services accept.
    pub login: Login,
}

/// How the registry wants to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Basic,
    Bearer,
}

impl Site {
    /// Faults of passwords are clearest without tokens.
    pub(crate) fn scheme(&self) -> Scheme {
        match self.fault {
            Fault::WrongPassword | Fault::NoCredentials | Fault::RepositoryAs401 => Scheme::Basic,
            _ => Scheme::Bearer,
        }
    }

    /// The registry's clock, in seconds.
    pub(crate) fn registry_now(&self) -> i64 {
        Timestamp::now().as_second()
    }

    /// The token service's clock, in seconds.
    pub(crate) fn service_now(&self) -> i64 {
        let ahead = if self.fault == Fault::ClockSkew { SKEW } else { 0 };
        self.registry_now() + ahead
    }
}

/// A value of a `Date` header.
pub(crate) fn http_date(seconds: i64) -> String {
    let at = Timestamp::from_second(seconds).unwrap_or_default();
    jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&at).unwrap_or_default()
}

/// An answer with a type and a whole body.
pub(crate) fn answer(
    status: StatusCode,
    media_type: &str,
    bytes: impl Into<hyper::body::Bytes>,
) -> Response<Answer> {
    let mut response = Response::new(Answer::whole(bytes));
    *response.status_mut() = status;
    set(&mut response, header::CONTENT_TYPE, media_type);
    response
}

/// An error in the form of the distribution specification.
pub(crate) fn error(status: StatusCode, code: &str, message: &str) -> Response<Answer> {
    let body = json!({ "errors": [{ "code": code, "message": message, "detail": null }] });
    answer(status, "application/json", body.to_string())
}

/// Sets a header, where the value can be one.
pub(crate) fn set(response: &mut Response<Answer>, name: header::HeaderName, value: &str) {
    if let Ok(value) = value.parse() {
        response.headers_mut().insert(name, value);
    }
}

/// As a handler returns it, with the clock of the service.
pub(crate) fn dated(mut response: Response<Answer>, seconds: i64) -> Handled {
    set(&mut response, header::DATE, &http_date(seconds));
    Ok(response)
}
