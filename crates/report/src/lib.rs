//! What was concluded, as data. Every sentence in it is a key and its arguments ([`Say`]); `render` has the words.

mod climb;
mod explanation;
mod incident;
pub mod node;
mod say;
mod sheet;

pub use climb::*;
pub use explanation::*;
pub use incident::*;
pub use say::*;
pub use sheet::*;
