//! Names of objects: a filter with a name that no object has selects no rows, and reads as if there was nothing.
//!
//! Wherever a command takes the id of an object, it takes its name too. A text is an id before it is an exact name, and an exact
//! name before one that differs in case and spaces. One match is taken and shown. None is not found, with the nearest names;
//! several are listed and refused.
//!
//! The kind of object that a text names follows from the [document](kind). The objects come from the [tenant] or from a
//! [mirror].

pub(crate) mod kind;
pub(crate) mod mirror;
pub(crate) mod object;
pub(crate) mod tenant;
