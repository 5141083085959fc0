//! The database and the schema of a mirror.

use std::{fmt, path::PathBuf, str::FromStr};

use reqwest::Url;
use tokio_postgres::{
    Config,
    config::{Host, SslMode},
};

use super::tls::Verify;
use crate::error::Error;

/// Parameters that the URL may replace, in seconds: connecting fails after 15, and a server that is gone is noticed after two
/// minutes.
const DEFAULTS: &str =
    "connect_timeout=15&keepalives_idle=60&keepalives_interval=15&keepalives_retries=4";

const REQUIRE: &str = "sslmode=require";

/// A schema of a PostgreSQL database.
///
/// It is parsed from a URL as PostgreSQL's own programs accept it, `postgres://USER:PASSWORD@HOST:PORT/DATABASE?PARAMETERS`.
/// Special characters of the password are written as percent escapes. Of the parameters, these are worth knowing:
///
/// | parameter | meaning |
/// |---|---|
/// | `schema` | as [`schema`](Self::schema) |
/// | `reader` | as [`reader`](Self::reader); can be given several times |
/// | `sslmode` | `disable`, `prefer` (default), `require`, `verify-ca`, `verify-full`; only the last two verify the server |
/// | `sslrootcert` | a file with the certificate authorities to verify with; default: those of the system |
/// | `connect_timeout` | in seconds; default: 15 |
/// | `options` | settings of the session; `-c%20lock_timeout%3D5min` is the time after which a run fails that waits for a lock of another session; default: `60s` |
///
/// The password is not shown by `Debug`, `Display` or in errors.
///
/// ```
/// use lms_sync::sink::postgres::PostgresSchema;
///
/// let mirror: PostgresSchema = "postgres://lms:s3cret@db.example/warehouse?sslmode=verify-full&schema=lms".parse().unwrap();
/// assert_eq!(mirror.to_string(), "schema lms of postgres://lms@db.example:5432/warehouse");
/// ```
#[derive(Clone)]
pub struct PostgresSchema {
    pub(super) config: Config,
    pub(super) verify: Verify,
    pub(super) root_certificates: Option<PathBuf>,
    pub(super) schema: String,
    pub(super) readers: Vec<String>,
}

impl PostgresSchema {
    /// The schema that the tables are in. It is created by the first run if it does not exist. Default: `public`.
    #[must_use]
    pub fn schema(mut self, name: impl Into<String>) -> Self {
        self.schema = name.into();
        self
    }

    /// The name of the schema.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.schema
    }

    /// The password, instead of that in the URL.
    #[must_use]
    pub fn password(mut self, password: &str) -> Self {
        self.config.password(password);
        self
    }

    /// Returns `true` if the URL contains a password, or [`password`](Self::password) has set one.
    #[must_use]
    pub fn has_password(&self) -> bool {
        self.config.get_password().is_some()
    }

    /// Lets an existing role read the tables and views of the mirror, and its runs, completeness records and changes, so that
    /// it can also [verify](crate::mirror::Mirror::verify) the mirror. Each run grants the privileges when it begins.
    #[must_use]
    pub fn reader(mut self, role: impl Into<String>) -> Self {
        self.readers.push(role.into());
        self
    }
}

impl FromStr for PostgresSchema {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (address, query) = text.split_once('?').unwrap_or((text, ""));
        let authority = address.split_once("://").map(|(_, rest)| rest);
        let authority = authority.and_then(|rest| rest.split('/').next());
        if authority.is_none_or(|authority| authority.matches('@').count() > 1) {
            return Err(invalid("special characters are not escaped"));
        }
        let (mut ours, mut others) = (Vec::new(), vec![DEFAULTS]);
        let mut verify = Verify::Nothing;
        for mut pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split('=').next().unwrap_or_default() {
                "schema" | "reader" | "sslrootcert" => ours.push(pair),
                "sslmode" => {
                    (verify, pair) = match pair {
                        "sslmode=verify-ca" => (Verify::Authority, REQUIRE),
                        "sslmode=verify-full" => (Verify::Name, REQUIRE),
                        _ => (Verify::Nothing, pair),
                    };
                    others.push(pair);
                }
                _ => others.push(pair),
            }
        }
        let address = format!("{address}?{}", others.join("&"));
        let config: Config = address
            .parse()
            // Not with the cause, which may quote a part of the password.
            .map_err(|_| invalid("the text or a parameter is not valid"))?;
        if config.get_hosts().is_empty() {
            return Err(invalid("the host is missing"));
        }
        let (mut schema, mut readers) = ("public".to_owned(), Vec::new());
        let mut root_certificates = None;
        // A plus is a plus here, as in libpq.
        let ours = format!("postgres:?{}", ours.join("&").replace('+', "%2B"));
        let ours = Url::parse(&ours).map_err(|_| invalid("a parameter is not valid"))?;
        for (name, value) in ours.query_pairs() {
            match &*name {
                "schema" => schema = value.into_owned(),
                "reader" => readers.push(value.into_owned()),
                _ if value == "system" => root_certificates = None,
                _ => root_certificates = Some(value.into_owned().into()),
            }
        }
        let is_required = config.get_ssl_mode() == SslMode::Require;
        if verify == Verify::Nothing && is_required && root_certificates.is_some() {
            // As in libpq.
            verify = Verify::Authority;
        }
        Ok(Self {
            config,
            verify,
            root_certificates,
            schema,
            readers,
        })
    }
}

fn invalid(why: &str) -> Error {
    Error::usage(format!(
        "cannot read the URL of the database, because {why}; write postgres://USER@HOST:PORT/DATABASE, with percent escapes \
         for special characters"
    ))
}

impl fmt::Display for PostgresSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let config = &self.config;
        write!(f, "schema {} of postgres://", self.schema)?;
        if let Some(user) = config.get_user() {
            write!(f, "{user}@")?;
        }
        for (index, host) in config.get_hosts().iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match host {
                Host::Tcp(host) => write!(f, "{comma}{host}")?,
                #[cfg(unix)]
                Host::Unix(path) => write!(f, "{comma}{}", path.display())?,
            }
            let ports = config.get_ports();
            if let Some(port) = ports.get(index).or_else(|| ports.first()) {
                write!(f, ":{port}")?;
            }
        }
        write!(f, "/{}", config.get_dbname().unwrap_or_default())
    }
}

impl fmt::Debug for PostgresSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PostgresSchema")
            .field(&self.to_string())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::{path::Path, time::Duration};

    use super::{PostgresSchema, Verify};

    #[test]
    fn parameters_are_read() {
        let url = "postgresql://u%40x:p%2Fw@h1,h2:6000/db?sslmode=verify-ca&application_name=x&sslrootcert=%2Fa+b.pem&schema=my%20schema\
                   &reader=a&reader=b&keepalives_idle=7";
        let parsed: PostgresSchema = url.parse().unwrap();
        assert_eq!(parsed.verify, Verify::Authority);
        assert_eq!(
            parsed.root_certificates.as_deref(),
            Some(Path::new("/a+b.pem"))
        );
        assert_eq!(
            parsed.to_string(),
            "schema my schema of postgresql://u@x@h1:5432,h2:6000/db"
                .replace("postgresql", "postgres")
        );
        assert!(parsed.has_password());
        assert_eq!(parsed.readers, ["a", "b"]);
        let seconds = |of: &PostgresSchema| {
            let (connect, idle) = (
                of.config.get_connect_timeout(),
                of.config.get_keepalives_idle(),
            );
            (connect.map(Duration::as_secs), idle.as_secs())
        };
        assert_eq!(seconds(&parsed), (Some(15), 7));
        let parsed: PostgresSchema = "postgres://u@h/db?connect_timeout=2".parse().unwrap();
        assert_eq!(seconds(&parsed), (Some(2), 60));
    }

    #[test]
    fn no_part_of_a_password_is_shown() {
        for url in [
            "postgres://u:s3cr@et@host/db",
            "postgres://u:s3cret@host/db?sslmode=s3cret",
            "postgres://u:s3cret@host:s3cret/db",
            "postgres://u:s3cret@/db",
            "host=x password=s3cret",
        ] {
            let parsed: Result<PostgresSchema, _> = url.parse();
            let error = parsed.unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("s3cr"), "{shown}");
        }
        let parsed: PostgresSchema = "postgres://u:s3cret@host/db".parse().unwrap();
        assert!(!format!("{parsed} {parsed:?}").contains("s3cret"));
    }
}
