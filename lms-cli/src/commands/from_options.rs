//! The options of the commands that take a file.

use clap::{Arg, ArgAction, builder::PossibleValuesParser};

use crate::{
    args::{file, switch, text},
    ledger,
};

/// The options for the rows of a file.
pub(super) fn options(is_edit: bool) -> Vec<Arg> {
    let mut options = vec![
        file("from", "FILE", "Run the command for each row of a CSV, NDJSON or .xlsx file, or of stdin with -; columns have the names of arguments and options, such as id; an option here applies to rows without a value"),
        text("map", "COLUMN=OPTION", "Option for a column of --from with another name; COLUMN= ignores the column, and '*=' all columns that are not options; can be repeated")
            .requires("from")
            .action(ArgAction::Append),
        file("results", "FILE", "File for the result of each row of --from [default: next to it, with the name of the command]")
            .requires("from"),
        switch("resume", "Skip the rows of --from that have succeeded, also if their secrets, which the results do not have, may have changed")
            .requires("from"),
        ledger::state().requires("from"),
        switch("skip-invalid", "Skip the rows of --from that are not valid, and send the others").requires("from"),
    ];
    if is_edit {
        options.push(
            text(
                "empty-is",
                "EFFECT",
                "Effect of an empty cell of --from on the field",
            )
            .requires("from")
            .default_value("keep")
            .value_parser(PossibleValuesParser::new(["keep", "clear"])),
        );
    }
    options
}
