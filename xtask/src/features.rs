//! The table of features in a crate's README, from the comments in its Cargo.toml.

use std::fmt::Write as _;

use anyhow::{Context as _, ensure};
use toml_edit::{DocumentMut, Item};

const START: &str = "<!-- features: written by `cargo xtask regen` from Cargo.toml -->\n\n";
const END: &str = "\n<!-- /features -->";

/// The README with a table of the features that the manifest has.
pub(crate) fn readme(readme: &str, manifest: &str) -> anyhow::Result<String> {
    let marks = "the README has no place for its features";
    let (before, rest) = readme.split_once(START).context(marks)?;
    let (_, after) = rest.split_once(END).context(marks)?;
    Ok(format!("{before}{START}{}{END}{after}", table(manifest)?))
}

fn table(manifest: &str) -> anyhow::Result<String> {
    let manifest: DocumentMut = manifest.parse()?;
    let features = manifest["features"].as_table().context("no features")?;
    let default = features.get("default").and_then(Item::as_array);
    let is_default = |name: &str| {
        let mut names = default.into_iter().flatten();
        names.any(|of| of.as_str() == Some(name))
    };
    let mut table = "| feature | default | effect |\n|---|---|---|\n".to_owned();
    for (name, _) in features.iter().filter(|(name, _)| *name != "default") {
        let key = features.key(name).context("a feature has no key")?;
        let comment = key.leaf_decor().prefix().and_then(|raw| raw.as_str());
        let lines = comment.unwrap_or_default().lines();
        let text: Vec<&str> = lines.filter_map(|line| line.strip_prefix("# ")).collect();
        ensure!(!text.is_empty(), "the feature {name} has no comment");
        let default = if is_default(name) { "yes" } else { "no" };
        // Writing to a `String` cannot fail.
        let _ = writeln!(table, "| `{name}` | {default} | {} |", text.join(" "));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_feature_is_a_row_and_needs_a_comment() {
        let manifest =
            "[features]\ndefault = [\"a\"]\n# Does a\n# and more.\na = []\n\n# Does b.\nb = []\n";
        let page = format!("# x\n{}old{}\n", super::START, super::END);
        let found = super::readme(&page, manifest).unwrap();
        assert!(found.contains("| `a` | yes | Does a and more. |\n| `b` | no | Does b. |\n"));
        assert_eq!(super::readme(&found, manifest).unwrap(), found);
        assert!(super::readme("# x\n", manifest).is_err());
        assert!(super::readme(&page, "[features]\na = []\n").is_err());
    }
}
