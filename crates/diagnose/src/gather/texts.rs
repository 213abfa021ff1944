//! Failing pulls and pushes that texts show: they join the pod's pull of the same image, or stand alone.

use super::by_image::ByImage;
use crate::case::Case;
use crate::pull::{Observation, Pull, Timeline};
use report::Locator;
use vocabulary::{Cause, Operation};

/// Adds what texts show.
pub fn join<'a>(case: &Case<'a>, pulls: &mut Vec<Pull<'a>>) {
    let of_pods = pulls.len();
    let mut by_image = ByImage::of(pulls);
    for sighting in &case.snapshot.sightings {
        let reading = case.read(&sighting.text);
        if matches!(reading.cause, Cause::NotAPullFailure) {
            continue;
        }
        let operation = sighting.operation.unwrap_or(reading.operation);
        // What was pushed with success afterwards failed at the time, and is no incident now.
        if operation == Operation::Push
            && pulls.iter().take(of_pods).any(|p| crate::pushed::made_good(case, sighting, &p.image))
        {
            continue;
        }
        let image = reading.image.clone().unwrap_or_else(|| sighting.image.clone());
        let node = sighting.node.as_deref().unwrap_or_default();
        let from = sighting.origin.collection();
        let apart = |p: &Pull<'_>| facts::are_apart(from, case.collection_of(p));
        let has_pods = pulls.iter().take(of_pods).any(|p| !apart(p));
        let observation = Observation {
            vantage: sighting.vantage.clone(),
            text: &sighting.text,
            at: Locator::File {
                node: node.to_owned(),
                path: sighting.origin.source.clone(),
                line: sighting.origin.line,
                column: 0,
                snippet: String::new(),
            },
            when: sighting.at,
            ladder: None,
            reading,
        };
        let fits = |p: &Pull<'_>| {
            (p.operation == operation || (p.operation == Operation::Pull && operation == Operation::Sandbox))
                && (node.is_empty() || p.node.is_empty() || p.node == node)
                && (!apart(p) || p.node == node && !node.is_empty())
        };
        let same = if image.is_empty() {
            pulls.iter().position(fits)
        } else {
            by_image.first_or_unnamed(&image, |n| pulls.get(n).is_some_and(fits))
        };
        if let Some(pull) = same.and_then(|n| pulls.get_mut(n)) {
            pull.observations.push(observation);
        } else if !has_pods || operation == Operation::Push || !image.is_empty() {
            let named = observation.reading.registry_host.clone();
            let of_image = formats::reference::registry_of(&image);
            // Where the text around the words names the image, the words' host may be any that was asked on the way.
            let registry =
                if observation.reading.image.is_some() { named.or(of_image) } else { of_image.or(named) };
            let registry = registry.unwrap_or_default();
            by_image.add(pulls.len(), &image);
            pulls.push(Pull {
                pod: None,
                container: None,
                namespace: "",
                pod_name: "",
                container_name: "",
                node,
                registry,
                image,
                operation,
                observations: vec![observation],
                earlier: Vec::new(),
                timeline: Timeline {
                    first_failed: sighting.at,
                    last_failed: sighting.at,
                    ..Timeline::default()
                },
            });
        }
    }
}
