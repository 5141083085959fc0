//! Facts of the document about each operation, for the commands and their output.

mod generated {
    #[cfg(not(feature = "tenant-document"))]
    include!("generated.rs");
    #[cfg(feature = "tenant-document")]
    include!(concat!(env!("OUT_DIR"), "/commands.rs"));
}
pub(crate) mod lookup;
pub(crate) mod table;
