//! Taps: collections as messages for loaders, such as Meltano and Airbyte.
//!
//! A tap writes one JSON message per line. Two protocols are supported: [`singer`] and [`airbyte`]. Both read the same
//! [configuration](TapConfig) and the same [`Extract`](crate::Extract).
//!
//! Loaders delete rows that a full read did not return. A tap therefore declares a stream complete **only** if every
//! tenant has a [complete record](crate::CompletenessRecord). Otherwise the tap writes the error, and
//! [`TapSummary::is_complete`] returns false. The program must then exit with a code other than 0.
//!
//! The state has the versions of the rows and the tenants that they are of. A stream that was interrupted is read again from its
//! start.
//!
//! ```no_run
//! # async fn example() -> Result<(), lms_sync::Error> {
//! use lms_sync::tap::{TapConfig, singer};
//!
//! let config = TapConfig::parse(
//!     r#"{"base_url": "https://acme.example", "client_id": "1001", "client_secret": "…"}"#,
//! )?;
//! let summary = singer::sync(&config, None, None, std::io::stdout()).await?;
//! assert!(summary.is_complete());
//! # Ok(())
//! # }
//! ```

pub mod airbyte;
mod config;
mod engine;
pub mod singer;
mod state;
mod stream;

pub use config::TapConfig;
pub use engine::{TapOutcome, TapSummary};
