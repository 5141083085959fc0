//! Maintainers chores.
fn main() {}
