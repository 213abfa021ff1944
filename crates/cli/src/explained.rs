//! A reading of the words, handed to the report's side: formats and render do not know each other.

use formats::message::Reading;
use report::Explanation;

/// The same, as the renderers take it.
pub fn explained(reading: Reading) -> Explanation {
    let Reading {
        cause,
        also_possible,
        confidence,
        operation,
        image,
        registry_host,
        endpoint_host,
        url: _,
        runtime,
        phase,
        status,
        leaf,
    } = reading;
    Explanation {
        cause,
        also_possible,
        confidence,
        operation,
        phase,
        image,
        registry_host,
        endpoint_host,
        runtime,
        status,
        leaf,
    }
}
