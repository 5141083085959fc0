//! Command-line arguments for the tenant and the credentials, for programs that use clap.

use std::{fs, path::PathBuf};

use super::{LmsBuilder, env};
use crate::error::Error;

/// Command-line arguments to flatten into your own: `--base-url`, `--client-id` and `--client-secret-file`.
///
/// Without `--base-url` or `--client-id`, the environment variables of [`Lms::from_env`](crate::Lms::from_env) are used.
/// The client secret comes from the file, or from `LMS_CLIENT_SECRET` without one. There is no argument for the secret
/// itself, because other users of the machine can read arguments in the list of processes.
///
/// ```
/// use clap::Parser;
/// use lms_ext::LmsArgs;
///
/// #[derive(Parser)]
/// struct Arguments {
///     #[command(flatten)]
///     lms: LmsArgs,
///     #[arg(long)]
///     dry_run: bool,
/// }
///
/// # fn main() -> Result<(), lms_ext::Error> {
/// # std::fs::write(std::env::temp_dir().join("lms-args-secret"), "s3cr3t\n").unwrap();
/// # let file = std::env::temp_dir().join("lms-args-secret").display().to_string();
/// let arguments = Arguments::parse_from([
///     "sync", "--base-url", "https://acme.example", "--client-id", "1000001", "--client-secret-file", &file,
/// ]);
/// let lms = arguments.lms.builder()?.application("sync/1.0").build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, clap::Args)]
#[non_exhaustive]
pub struct LmsArgs {
    /// The base URL of the tenant, without /api/v1
    #[arg(long, value_name = "URL", env = "LMS_BASE_URL")]
    pub base_url: String,
    /// The client id of the integration
    #[arg(long, value_name = "ID", env = "LMS_CLIENT_ID")]
    pub client_id: String,
    /// A file that contains the client secret; otherwise, it is read from LMS_CLIENT_SECRET
    #[arg(long, value_name = "FILE")]
    pub client_secret_file: Option<PathBuf>,
}

impl LmsArgs {
    /// Starts to build a client from the arguments. White space around the secret in the file is ignored.
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) if the file cannot be read, or there is no file and `LMS_CLIENT_SECRET` is
    /// missing.
    pub fn builder(&self) -> Result<LmsBuilder, Error> {
        let secret = match &self.client_secret_file {
            None => env::client_secret()?,
            Some(file) => {
                let text = fs::read_to_string(file).map_err(|error| {
                    let detail = format!(
                        "cannot read the client secret from {}: {error}",
                        file.display()
                    );
                    Error::usage(detail).with_source(error)
                })?;
                text.trim().into()
            }
        };
        Ok(LmsBuilder::new(self.base_url.clone()).client_credentials(&self.client_id, secret))
    }
}
