//! The options that every command has.

use clap::{
    Arg, ArgAction, ArgMatches, Args, ColorChoice, Command, FromArgMatches as _, ValueHint,
    builder::FalseyValueParser, parser::ValueSource,
};
use tracing::Level;

use crate::{
    args::{has, is_set},
    console::{self, stdout_is_terminal},
    failure::Failure,
    format::{CsvOptions, Format},
    limits::Limits,
    selection::Selection,
    wording::quoted,
};

/// The options that every command has. The comments are their help.
#[derive(Args, Clone, Debug)]
pub(crate) struct Context {
    /// table, json, ndjson, csv or xlsx [default: table on a terminal, json elsewhere]
    #[arg(
        id = "output",
        long,
        short = 'o',
        value_name = "FORMAT",
        hide_possible_values = true
    )]
    pub(crate) format: Option<Format>,
    /// Print only these fields, in this order: id,email
    #[arg(long, value_name = "NAMES", value_delimiter = ',', action = ArgAction::Set)]
    pub(crate) columns: Option<Vec<String>>,
    /// Apply a jq filter to each object that is printed
    #[arg(long, value_name = "FILTER", conflicts_with = "columns")]
    pub(crate) jq: Option<String>,
    #[command(flatten)]
    pub(crate) csv: CsvOptions,
    /// Print nothing but the output and errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Write each request, wait and retry to stderr
    #[arg(long, short)]
    verbose: bool,
    /// Like --verbose, with the headers; secrets are hidden
    #[arg(long)]
    debug: bool,
    /// auto, always or never
    #[arg(long, value_name = "WHEN", hide_possible_values = true)]
    color: Option<ColorChoice>,
    /// For screen readers: no bars, and tables as lists
    #[arg(long, env = "LMS_ACCESSIBLE", hide_env = true, value_parser = FalseyValueParser::new())]
    pub(crate) accessible: bool,
    /// Do not show long tables page by page
    #[arg(long)]
    pub(crate) no_pager: bool,
    /// Never ask; fail instead
    #[arg(long)]
    pub(crate) no_input: bool,
    /// Print stable pseudonyms in place of what identifies people; arguments may contain them
    #[arg(long)]
    pub(crate) pseudonyms: bool,
    /// Use this profile; see `lms profile`
    #[arg(long, value_name = "NAME", env = "LMS_PROFILE", hide_env = true)]
    pub(crate) profile: Option<String>,
    /// Base URL of the tenant
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) base_url: Option<String>,
    /// Client id of the integration
    #[arg(long, value_name = "ID")]
    pub(crate) client_id: Option<String>,
    /// Read the client secret from stdin
    #[arg(long)]
    pub(crate) client_secret_stdin: bool,
    /// Use an embedded service with demo data
    #[arg(long)]
    pub(crate) sandbox: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
    // Of these, some commands have options.
    #[arg(skip)]
    pub(crate) yes: bool,
    #[arg(skip)]
    pub(crate) dry_run: bool,
    #[arg(skip)]
    pub(crate) can_dry_run: bool,
    /// The tenants of a command for several.
    #[arg(skip)]
    pub(crate) selection: Option<Selection>,
    /// `true` if the profile was named by the option, which has precedence over the environment.
    #[arg(skip)]
    pub(crate) profile_is_option: bool,
    /// `true` while a shell completes a line: no program is run for a secret, and no keyring is unlocked.
    #[arg(skip)]
    pub(crate) completes: bool,
    /// The tenant that lines are about, if the command is for several.
    #[arg(skip)]
    pub(crate) tenant: Option<String>,
}

/// The options for all commands.
pub(crate) fn options() -> Vec<Arg> {
    let command = Context::augment_args(Command::new("lms"));
    let options = command.get_arguments().cloned();
    options
        .map(|option| option.global(true).help_heading("Options of every command"))
        .collect()
}

impl Context {
    /// Reads the options from the matches of the innermost command.
    pub(crate) fn read(matches: &ArgMatches) -> Result<Self, Failure> {
        let mut context =
            Self::from_arg_matches(matches).map_err(|error| Failure::usage(error.to_string()))?;
        let names = context.columns.iter_mut().flatten();
        names.for_each(|name| *name = name.trim().to_owned());
        // Lines for people name them.
        context.quiet |= context.pseudonyms;
        context.profile = context.profile.filter(|name| !name.is_empty());
        context.profile_is_option = matches!(
            matches.value_source("profile"),
            Some(ValueSource::CommandLine)
        );
        context.yes = is_set(matches, "yes");
        context.dry_run = is_set(matches, "dry-run");
        context.can_dry_run = has(matches, "dry-run");
        context.selection = Selection::of(matches);
        context.check_output()?;
        Ok(context)
    }

    /// The level of the reports about requests on stderr: waits that a person notices, all requests, waits and retries, or those
    /// with headers.
    pub(crate) fn level(&self) -> Level {
        match (self.debug, self.verbose) {
            _ if self.pseudonyms => Level::INFO,
            (true, _) => Level::TRACE,
            (false, true) => Level::DEBUG,
            (false, false) => Level::INFO,
        }
    }

    /// `true` if headings are bold.
    pub(crate) fn wants_color(&self) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        match self.color {
            Some(ColorChoice::Always) => true,
            Some(ColorChoice::Never) => false,
            Some(ColorChoice::Auto) | None => {
                stdout_is_terminal()
                    && !set("NO_COLOR")
                    && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        }
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
        let given = options.into_iter().filter_map(|(option, value)| {
            let value = quoted(value?);
            Some(format!(" --{option} {value}"))
        });
        given.collect()
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
