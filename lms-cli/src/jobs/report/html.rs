//! Pages that need nothing but the file: no network, and no script but their own.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use minijinja::{Environment, Error, context, value::Serde};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::failure::Failure;

/// A table that is sorted by a column when its heading is clicked, and bars.
const PARTS: (&str, &str) = ("parts.html", include_str!("pages/parts.html"));
const PAGE: (&str, &str) = ("page.html", include_str!("pages/page.html"));

/// For a screen in light and dark, and for paper.
const STYLE: &str = include_str!("pages/page.css");
const SCRIPT: &str = include_str!("pages/page.js");

/// A page of this template. Its policy forbids everything that is not in the file.
pub(super) fn page(title: &str, template: &str, page: &impl Serialize) -> Result<String, Failure> {
    let mut templates = Environment::new();
    let mut rendered = || {
        for (name, text) in [PARTS, PAGE, ("body.html", template)] {
            templates.add_template(name, text)?;
        }
        templates.get_template(PAGE.0)?.render(context! {
            title, body => "body.html", page => Serde(page),
            style => STYLE, style_hash => hash(STYLE), script => SCRIPT, script_hash => hash(SCRIPT),
        })
    };
    rendered().map_err(|error: Error| Failure::fault(format!("{error:#}")))
}

/// The hash by which a policy allows a text in the page.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}
