//! The options of the commands that take a file.

use clap::{Arg, ArgAction, ValueHint, builder::PossibleValuesParser};

use crate::{
    args::{switch, text},
    ledger,
};

/// The options for the rows of a file.
pub(super) fn options(is_edit: bool) -> Vec<Arg> {
    let mut options = vec![
        text("from", "FILE", "Run the command for each row of a CSV, NDJSON or .xlsx file, or of stdin with -; columns have the names of the arguments and options, such as id, and options here are for rows without a value")
            .value_hint(ValueHint::FilePath),
        text("map", "COLUMN=OPTION", "Option that a column of --from with another name stands for; nothing after = leaves the column out, and '*=' all others that are not options; can be repeated")
            .requires("from")
            .action(ArgAction::Append),
        text("results", "FILE", "File for the result of each row of --from [default: next to it, with the name of the command]")
            .requires("from")
            .value_hint(ValueHint::FilePath),
        switch("resume", "Send only the rows of --from that have not ended well according to the results, also if the file has changed since")
            .requires("from")
            .conflicts_with("dry-run"),
        ledger::state().requires("from"),
        switch("skip-invalid", "Send the valid rows of --from, although others are not valid").requires("from"),
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
