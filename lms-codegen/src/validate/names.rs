//! Different names in the document are different names in Rust.

use std::collections::BTreeMap;

use super::node::Node;
use crate::error::Error;

/// Different names in the document must be different names in Rust.
pub(super) fn names(
    entries: &[(&str, Node<'_>)],
    what: &str,
    rust: impl Fn(&str) -> String,
) -> Result<(), Error> {
    let mut known = BTreeMap::new();
    for (name, node) in entries {
        if let Some(other) = known.insert(rust(name), name) {
            return Err(node.error(format!(
                "the {what} `{}` would have the same name as that of `{other}`; rename one of them",
                rust(name)
            )));
        }
    }
    Ok(())
}
