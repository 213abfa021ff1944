//! What follows from the whole Snapshot alone: worked out when it is first asked for, and kept.

use crate::pull_secrets::{SecretList, Template};
use crate::pushed::Pushed;
use crate::questions::account::Account;
use crate::questions::places::{List, Runs, Storage};
use report::Evidence;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A node's name, and what shows that it has an image.
pub type Holder<'a> = (&'a str, Evidence);

/// The parts; each is filled by the code that it belongs to.
#[derive(Default)]
pub struct Once<'a> {
    /// Lists of images that commands printed.
    pub image_lists: OnceCell<Vec<List<'a>>>,
    /// What runs on each node.
    pub running: OnceCell<HashMap<&'a str, Vec<Runs<'a>>>>,
    /// The first nodes that the API server lists with an image, by the image.
    pub holders: RefCell<HashMap<String, Rc<Vec<Holder<'a>>>>>,
    /// The registries of all failing pulls, each with the collection that it was found in; see `lines`.
    pub registries: OnceCell<BTreeSet<(String, String)>>,
    /// Pushes that went well.
    pub pushed: OnceCell<Vec<Pushed<'a>>>,
    /// The registry that keeps what it has in a volume that ends with its pod.
    pub storage: OnceCell<Option<Storage>>,
    /// Accounts that the registry's side lists.
    pub accounts: OnceCell<Vec<Account>>,
    /// Whole lists of secrets that kubectl printed.
    pub secret_lists: OnceCell<Vec<SecretList<'a>>>,
    /// Of each registry, how many containers wait for an image of it, of how many.
    pub waiting: OnceCell<HashMap<String, (u32, u32)>>,
    /// Workloads with a pod template, by namespace.
    pub templates: OnceCell<HashMap<&'a str, Vec<Template<'a>>>>,
}
