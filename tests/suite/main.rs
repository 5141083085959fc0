//! The suite across the crates: it drives the public interfaces only.
