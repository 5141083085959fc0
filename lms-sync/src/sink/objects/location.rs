//! The storage service of a URL, and the variables that configure it.

use std::sync::Arc;

use object_store::{ObjectStore, parse_url_opts, path::Path};
use reqwest::Url;

use crate::error::Error;

/// The schemes of URLs, each with the start of the variables that configure its service.
const SERVICES: [(&[&str], &str); 3] = [
    (&["s3", "s3a"], "AWS_"),
    (&["gs"], "GOOGLE_"),
    (&["az", "azure", "adl", "abfs", "abfss"], "AZURE_"),
];

/// The store of a URL, and the prefix in it.
///
/// Region, endpoint and credentials come from the environment variables of each service: those that start with `AWS_`,
/// `GOOGLE_` or `AZURE_`. Plain HTTP needs `AWS_ALLOW_HTTP=true`.
///
/// # Errors
///
/// [`Usage`](crate::ErrorKind::Usage) when the URL or the value of a variable is not valid, or the feature for the service is
/// off. Nothing is sent.
pub fn open_url(text: &str) -> Result<(Arc<dyn ObjectStore>, Path), Error> {
    let shown = without_user(text);
    let refused = |reason: &str| {
        Error::usage(format!(
            "cannot use {shown:?}: {reason}; write s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://CONTAINER/PREFIX"
        ))
    };
    let url = Url::parse(text).map_err(|error| refused(&error.to_string()))?;
    if url.password().is_some() {
        return Err(Error::usage(format!(
            "the URL of {} contains a password; object storage takes it from variables",
            url.host_str().unwrap_or_default()
        )));
    }
    let mut services = SERVICES.iter();
    let (_, start) = services
        .find(|(schemes, _)| schemes.contains(&url.scheme()))
        .ok_or_else(|| refused("its scheme belongs to no object storage"))?;
    // Other variables may have the name of a setting by chance, such as `TOKEN`.
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name.starts_with(start));
    let (store, prefix) = parse_url_opts(&url, variables).map_err(|error| {
        Error::usage(format!(
            "cannot use {shown:?}; check the variables that start with {start}, and that this program was built with the feature for this service"
        ))
        .with_source(error)
    })?;
    Ok((Arc::from(store), prefix))
}

/// A URL for messages: without the text before the host, which may be a secret.
fn without_user(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::open_url;

    #[test]
    fn a_secret_in_a_url_is_not_repeated() {
        for url in [
            "s3://k:SECRET@b:99999/",
            "s3://SECRET@b:x/",
            "s3://k:SEC@RET@b/",
            "x://k:SECRET@b/",
        ] {
            let error = open_url(url).err().unwrap().to_string();
            assert!(!error.contains("k:") && !error.contains("RET@"), "{error}");
        }
    }
}
