//! Properties that must hold for arbitrary bytes from the server.
//!
//! Each property is a function of bytes that panics when it is violated, so that libFuzzer can search for such bytes:
//! `LMS_FUZZ=pages cargo fuzz run -s none property`. Inputs worth keeping are in `corpus/`, and `cargo test` runs them through the same
//! functions.
//!
//! Inputs for responses are text in a form that [`responses`] describes. The client is the real one, with [a script](script)
//! in place of the network and a paused clock.
//!
//! | target | input | property |
//! |---|---|---|
//! | [`pages()`] | responses to a list | a stream returns what a simple reader of the pages returns, sends cursors unchanged, and ends |
//! | [`checkpoints()`] | a stored checkpoint | it is refused, or resumed by a stream that ends |
//! | [`edits()`] | an object | unchanged fields are written back byte for byte |
//! | [`errors()`] | responses to any call | no secret is shown, and a write is retried only if it was not processed |
//! | [`decoding()`] | the body of a 200 | a decode error has a JSON path and never shows content |
//! | [`tokens()`] | responses to token requests | the token is used until it expires, and no longer |

mod checkpoints;
mod decoding;
mod edits;
mod errors;
pub mod limits;
mod naive;
mod pages;
mod redaction;
mod responses;
pub mod script;
mod tenant;
mod tokens;

pub use checkpoints::checkpoints;
pub use decoding::decoding;
pub use edits::edits;
pub use errors::errors;
pub use pages::pages;
pub use tokens::tokens;

/// A property of bytes; it panics when they violate it.
pub type Target = fn(&[u8]);

/// All properties, by the name of their folder in the corpus.
pub const TARGETS: [(&str, Target); 6] = [
    ("checkpoints", checkpoints),
    ("decoding", decoding),
    ("edits", edits),
    ("errors", errors),
    ("pages", pages),
    ("tokens", tokens),
];
