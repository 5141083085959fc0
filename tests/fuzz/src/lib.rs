//! What must hold whatever comes over the wire, as functions of any bytes.
//!
//! A test tries the inputs that somebody thought of. Here each promise is a plain function of bytes that panics when
//! the promise is broken, so that libFuzzer can look for the inputs that nobody thought of: `cargo fuzz run -s none
//! pages`. What it found, and what a person thought worth keeping, is checked in under `corpus/`, and
//! `cargo test --workspace` runs every one of these inputs through the same functions.
//!
//! Where an input stands for what a tenant says, it is text that a person can write; [`answers`] has the form. The
//! client under it is the real one, with [a tenant](tenant) in the place of its connections and a clock that nobody
//! waits for.
//!
//! | target | input | promise |
//! |---|---|---|
//! | [`int64()`] | a text | read exactly or not at all, as text and as number; written so that it is read again |
//! | [`timestamp()`] | a text | the text is kept; the time in it is the one that another library reads |
//! | [`pages()`] | answers to a list | a walk delivers what a plain reading of the pages gives, and ends |
//! | [`cursors()`] | cursors, one a line | each goes back letter by letter, and a walk can be stored at every row |
//! | [`checkpoints()`] | a stored checkpoint | it is refused, or taken up by a walk that ends |
//! | [`edits()`] | an object | what nobody touched is written back letter by letter |
//! | [`errors()`] | answers to any call | no secret is shown, and a write is sent again only if it was not carried out |
//! | [`decoding()`] | the body of a success | what cannot be read is named by place and never shown |
//! | [`tokens()`] | answers to token requests | the token is used for as long as the tenant says, and no longer |
//! | [`retry_after()`] | a header | what the tenant asks to wait is waited in full, or the call ends and says so |
//! | [`sandbox()`] | requests to a sandbox | answered, never with a 500, and in the documented form |

mod answers;
mod checkpoints;
mod cursors;
mod decoding;
mod discreet;
mod edits;
mod errors;
mod int64;
mod naive;
mod pages;
mod retry_after;
mod sandbox;
mod tenant;
mod timestamp;
mod tokens;

pub use checkpoints::checkpoints;
pub use cursors::cursors;
pub use decoding::decoding;
pub use edits::edits;
pub use errors::errors;
pub use int64::int64;
pub use pages::pages;
pub use retry_after::retry_after;
pub use sandbox::sandbox;
pub use timestamp::timestamp;
pub use tokens::tokens;

/// A promise about any bytes; it panics when they break it.
pub type Target = fn(&[u8]);

/// Every promise, under the name of its program and of its folder in the corpus.
pub const TARGETS: [(&str, Target); 11] = [
    ("checkpoints", checkpoints),
    ("cursors", cursors),
    ("decoding", decoding),
    ("edits", edits),
    ("errors", errors),
    ("int64", int64),
    ("pages", pages),
    ("retry_after", retry_after),
    ("sandbox", sandbox),
    ("timestamp", timestamp),
    ("tokens", tokens),
];
