//! The options that every command has.

use std::time::Duration;

use clap::{
    Arg, ArgMatches, ColorChoice, ValueHint, builder::FalseyValueParser, parser::ValueSource,
    value_parser,
};

use crate::{
    args::{self, has, switch, text},
    console::{self, stdout_is_terminal},
    failure::Failure,
    format::{CsvOptions, Format},
    limits::{self, Limits},
    selection::Selection,
    wording::quoted,
};

/// The options that every command has, read.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// `None` for the default of stdout: a table on a terminal, JSON elsewhere.
    pub(crate) format: Option<Format>,
    pub(crate) csv: CsvOptions,
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) jq: Option<String>,
    pub(crate) quiet: bool,
    /// `true` if people are replaced in what is printed.
    pub(crate) pseudonyms: bool,
    pub(crate) color: bool,
    /// `true` if neither bars nor aligned columns are printed.
    pub(crate) accessible: bool,
    /// `false` with `--no-pager`.
    pub(crate) pager: bool,
    pub(crate) no_input: bool,
    /// `true` while a shell completes a line: no program is run for a secret, and no keyring is unlocked.
    pub(crate) completes: bool,
    pub(crate) yes: bool,
    pub(crate) dry_run: bool,
    /// `true` if the command has `--dry-run`.
    pub(crate) can_dry_run: bool,
    pub(crate) sandbox: bool,
    pub(crate) profile: Option<String>,
    /// `true` if the profile was named by the option, which has precedence over the environment.
    pub(crate) profile_is_option: bool,
    pub(crate) base_url: Option<String>,
    pub(crate) client_id: Option<String>,
    pub(crate) secret_from_stdin: bool,
    pub(crate) limits: Limits,
    pub(crate) detail: Detail,
    /// The tenants of a command for several.
    pub(crate) selection: Option<Selection>,
    /// The tenant that lines are about, if the command is for several.
    pub(crate) tenant: Option<String>,
}

/// The reports about requests on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Detail {
    /// Waits that a person notices.
    Waits,
    /// Requests, all waits and retries.
    Requests,
    /// Requests and their headers.
    Headers,
}

const HEADING: &str = "Options of every command";

/// The options of the output.
fn formats() -> Vec<Arg> {
    vec![
        text(
            "output",
            "FORMAT",
            "table, json, ndjson, csv or xlsx [default: table on a terminal, json elsewhere]",
        )
        .short('o')
        .hide_possible_values(true)
        .value_parser(value_parser!(Format)),
        text(
            "columns",
            "NAMES",
            "Print only these fields, in this order: id,email",
        )
        .value_delimiter(','),
        text(
            "jq",
            "FILTER",
            "Apply a jq filter to each object that is printed",
        ),
        switch(
            "formula-guard",
            "Write an apostrophe in front of text in CSV that a spreadsheet would take for a formula",
        ),
        switch(
            "bom",
            "Start CSV with a byte order mark, so that Excel reads it as UTF-8",
        ),
        text(
            "csv-separator",
            "CHAR",
            "Separator of CSV, such as ';' for Excel in many countries, or tab",
        )
        .value_parser(separator),
    ]
}

pub(crate) fn options() -> Vec<Arg> {
    let mut options = formats();
    options.extend([
        switch("quiet", "Print nothing but the output and errors").short('q'),
        switch("verbose", "Write each request, wait and retry to stderr").short('v'),
        switch(
            "debug",
            "Like --verbose, with the headers; secrets are hidden",
        ),
        text("color", "WHEN", "auto, always or never")
            .hide_possible_values(true)
            .value_parser(value_parser!(ColorChoice)),
        switch(
            "accessible",
            "For screen readers: no bars, and tables as lists",
        )
        .env("LMS_ACCESSIBLE")
        .hide_env(true)
        .value_parser(FalseyValueParser::new()),
        switch("no-pager", "Do not show long tables page by page"),
        switch("no-input", "Never ask; fail instead"),
        switch(
            "pseudonyms",
            "Print stable pseudonyms in place of what identifies people; arguments may contain them",
        ),
        text("profile", "NAME", "Use this profile; see `lms profile`")
            .env("LMS_PROFILE")
            .hide_env(true),
        text("base-url", "URL", "Base URL of the tenant").value_hint(ValueHint::Url),
        text("client-id", "ID", "Client id of the integration"),
        switch("client-secret-stdin", "Read the client secret from stdin"),
        switch("sandbox", "Use an embedded service with demo data"),
    ]);
    options.extend(limits::options());
    options
        .into_iter()
        .map(|option| option.global(true).help_heading(HEADING))
        .collect()
}

impl Context {
    /// Reads the options from the matches of the innermost command.
    pub(crate) fn read(matches: &ArgMatches) -> Result<Self, Failure> {
        let given = |name: &str| args::given::<String>(matches, name);
        let is_set = |name: &str| args::is_set(matches, name);
        let columns = matches.try_get_many::<String>("columns").ok().flatten();
        let context = Self {
            format: args::given(matches, "output"),
            csv: CsvOptions {
                bom: is_set("bom"),
                formula_guard: is_set("formula-guard"),
                separator: args::given(matches, "csv-separator").unwrap_or(b','),
            },
            columns: columns.map(|names| names.map(|name| name.trim().to_owned()).collect()),
            jq: given("jq"),
            // Lines for people name them.
            quiet: is_set("quiet") || is_set("pseudonyms"),
            pseudonyms: is_set("pseudonyms"),
            color: wants_color(args::given(matches, "color")),
            accessible: is_set("accessible"),
            pager: !is_set("no-pager"),
            no_input: is_set("no-input"),
            completes: false,
            yes: is_set("yes"),
            dry_run: is_set("dry-run"),
            can_dry_run: has(matches, "dry-run"),
            sandbox: is_set("sandbox"),
            profile: given("profile").filter(|name| !name.is_empty()),
            profile_is_option: matches!(
                matches.value_source("profile"),
                Some(ValueSource::CommandLine)
            ),
            base_url: given("base-url"),
            client_id: given("client-id"),
            secret_from_stdin: is_set("client-secret-stdin"),
            limits: Limits::of(matches),
            detail: match (is_set("debug"), is_set("verbose")) {
                _ if is_set("pseudonyms") => Detail::Waits,
                (true, _) => Detail::Headers,
                (false, true) => Detail::Requests,
                (false, false) => Detail::Waits,
            },
            selection: Selection::of(matches),
            tenant: None,
        };
        context.check_output()?;
        Ok(context)
    }

    /// Fails for options of the output that exclude each other.
    fn check_output(&self) -> Result<(), Failure> {
        #[cfg(feature = "xlsx")]
        if self.format == Some(Format::Xlsx) && (self.jq.is_some() || stdout_is_terminal()) {
            return Err(Failure::usage(
                "-o xlsx writes a file; leave out --jq, and redirect the output: > rows.xlsx",
            ));
        }
        if self.jq.is_some() && matches!(self.format, Some(Format::Table | Format::Csv)) {
            return Err(Failure::usage(
                "--jq prints JSON; leave out -o table or -o csv",
            ));
        }
        if self.jq.is_some() && self.columns.is_some() {
            return Err(Failure::usage(
                "--jq and --columns both choose the output; use one of them",
            ));
        }
        Ok(())
    }

    /// The context of one of several tenants.
    pub(crate) fn of_tenant(&self, name: String) -> Self {
        Self {
            profile: Some(name.clone()),
            profile_is_option: true,
            no_input: true,
            selection: None,
            tenant: Some(name),
            ..self.clone()
        }
    }

    /// The options that connect another command to the same tenant, each after a space.
    pub(crate) fn tenant_options(&self) -> String {
        let profile = self.profile.as_ref().filter(|_| self.profile_is_option);
        let options = [
            ("profile", profile),
            ("base-url", self.base_url.as_ref()),
            ("client-id", self.client_id.as_ref()),
        ];
        let given = options
            .into_iter()
            .filter_map(|(option, value)| Some((option, value?)));
        given
            .map(|(option, value)| format!(" --{option} {}", quoted(value)))
            .collect()
    }

    /// With a timeout after which a service counts as not available.
    pub(crate) fn with_short_timeout(&self) -> Self {
        let limits = self.limits.or_timeout(Duration::from_secs(30));
        Self {
            limits,
            ..self.clone()
        }
    }

    /// The format of the output.
    pub(crate) fn format(&self) -> Format {
        self.format
            .unwrap_or_else(|| match (&self.jq, stdout_is_terminal()) {
                (None, true) => Format::Table,
                _ => Format::Json,
            })
    }

    /// Writes a line for people to stderr, unless `--quiet`.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.line(text);
        }
    }

    /// Writes a line for people to stderr, which names the tenant if there are several.
    pub(crate) fn line(&self, text: &str) {
        console::event("note", self.tenant.as_deref(), text, &[]);
    }
}

/// A separator of CSV: a character that a cell hardly has.
fn separator(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" => Ok(b'\t'),
        [one @ (b';' | b',' | b'|' | b'\t')] => Ok(*one),
        _ => Err("write one of , ; | or tab".to_owned()),
    }
}

fn wants_color(when: Option<ColorChoice>) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match when {
        Some(ColorChoice::Always) => true,
        Some(ColorChoice::Never) => false,
        Some(ColorChoice::Auto) | None => {
            stdout_is_terminal()
                && !set("NO_COLOR")
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}
