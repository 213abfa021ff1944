//! What is wrong with a node's registry configuration for one failing pull: settings that are there, would help, and are
//! not in force, and settings that are in force and lead astray.
//!
//! The emulators say what the files come to, `aim` says what the pull met. A fault is only named where it explains what
//! was seen. Which of them is the cause, and how sure that is, is left to the engine.

mod aim;
mod attempts;
mod certs_d;
mod chain;
mod crio;
mod docker;
mod elsewhere;
mod in_force;
mod intent;
mod logged;
mod logins;
mod names;
mod not_in_force;
mod rancher;
pub(crate) mod rancher_settings;
pub mod release;
pub(crate) mod reload;
mod remedy;
mod sandbox;
#[cfg(test)]
mod tests;
mod trust;
mod unit;

use crate::case::Case;
use crate::node_view::NodeView;
use crate::pull::Pull;
use crate::questions::hosts::same_host;
use crate::subject::Subject;
use report::{Evidence, Remedy};
use std::rc::Rc;
use vocabulary::Cause;

pub use aim::Aim;

/// One fault.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What it is.
    pub cause: Cause,
    /// What would have to be mended.
    pub subject: Subject,
    /// What shows it; never empty.
    pub evidence: Vec<Evidence>,
    /// Whether it leaves no room: what was collected decides that it is so, and that it is why the pull failed.
    pub certain: bool,
    /// What mends it.
    pub remedies: Vec<Remedy>,
}

/// The faults of one pull, and what was looked at.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// The faults, the one that comes first on the way to the registry first.
    pub found: Vec<Fault>,
    /// Kinds of fault that the facts exclude, each with what does.
    pub excluded: Vec<(Cause, Evidence)>,
}

/// The view and the aim together: what every look-out needs.
pub struct Scene<'s, 'a> {
    /// All facts.
    pub case: &'s Case<'a>,
    /// The failing pull.
    pub pull: &'s Pull<'s>,
    /// Its node.
    pub view: &'s NodeView<'a>,
    /// What it met.
    pub aim: &'s Aim,
}

impl Scene<'_, '_> {
    /// Whether every path that containerd would look for in its host directories was seen, or shown not to be there: what
    /// nobody collected may hold what seems to be missing.
    fn nothing_guessed(&self) -> bool {
        self.view.resolution.as_ref().is_none_or(|r| {
            // A list that is taken for one name is no directory that anybody has.
            let below = |path: &String, root: &String| !root.contains(':') && path.starts_with(root.as_str());
            !r.assumed.iter().any(|path| r.roots.iter().any(|root| below(path, root)))
        })
    }
}

impl Case<'_> {
    /// The faults of the pull's node for this pull.
    pub fn faults(&self, pull: &Pull<'_>) -> Rc<Faults> {
        let aim = Aim::of(pull, chain::of(self, pull), had_elsewhere(self, pull));
        let key = format!("{}\n{}\n{}\n{}", pull.node, pull.image, pull.symptom(), aim.url);
        if let Some(known) = self.faults.borrow().get(&key) {
            return Rc::clone(known);
        }
        let fresh = Rc::new(look(self, pull, &aim));
        self.faults.borrow_mut().insert(key, Rc::clone(&fresh));
        fresh
    }
}

/// Whether somebody had the image's manifest, by hand, from another host than its registry.
fn had_elsewhere(case: &Case<'_>, pull: &Pull<'_>) -> bool {
    let last = pull.image.split(['@', ':', '/']).rfind(|p| !p.is_empty()).unwrap_or_default();
    case.requests().iter().any(|r| {
        let path = r.curl.path();
        r.curl.status() == Some(200)
            && !same_host(r.curl.host(), &pull.registry)
            && path.contains("/manifests/")
            && path.contains(last)
    })
}

fn look(case: &Case<'_>, pull: &Pull<'_>, aim: &Aim) -> Faults {
    let mut faults = Faults::default();
    release::look(case, pull, aim, &mut faults);
    let Some(view) = case.view(pull) else { return faults };
    let scene = Scene { case, pull, view: &view, aim };
    crio::look(&scene, &mut faults);
    certs_d::look(&scene, &mut faults);
    docker::look(&scene, &mut faults);
    rancher::look(&scene, &mut faults);
    not_in_force::look(&scene, &mut faults);
    in_force::look(&scene, &mut faults);
    elsewhere::look(&scene, &mut faults);
    trust::look(&scene, &mut faults);
    logins::look(&scene, &mut faults);
    logged::look(&scene, &mut faults);
    sandbox::look(&scene, &mut faults);
    reload::roots(&scene, &mut faults);
    unit::look(&scene, &mut faults);
    let mut seen = Vec::new();
    faults.found.retain(|f| {
        let key = (f.cause, f.subject.clone());
        let new = !seen.contains(&key);
        seen.push(key);
        new
    });
    let named: Vec<Cause> = faults.found.iter().map(|f| f.cause).collect();
    faults.excluded.retain(|(c, _)| !named.contains(c));
    faults
}

impl Faults {
    fn add(&mut self, fault: Fault) {
        if !fault.evidence.is_empty() {
            self.found.push(fault);
        }
    }

    fn exclude(&mut self, causes: &[Cause], by: &Evidence) {
        self.excluded.extend(causes.iter().map(|cause| (*cause, by.clone())));
    }
}
