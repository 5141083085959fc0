//! Commands that read, for several tenants: the objects of all in one list, each with the name of its tenant.

use clap::ArgMatches;
use lms_ext::Page;
use serde_json::value::RawValue;

use super::{
    read::{Size, each_page},
    references,
};
use crate::{
    calls::Call,
    context::Context,
    failure::Failure,
    operations::table::Output,
    output::Printer,
    selection::Selection,
    session::Session,
    tenants::{self, Ended, Rows},
};

/// Prints the objects that an operation returns for each tenant, as they arrive.
pub(super) async fn run(
    context: &Context,
    selection: &Selection,
    matches: &ArgMatches,
    call: Call,
) -> Result<(), Failure> {
    let printer = Printer::new(context, call.command.output.schema())?;
    let size = Size::of(matches);
    tenants::print(context, selection, printer, move |context, rows| {
        read(context, rows, call.clone(), size)
    })
    .await
}

/// Reads the objects that an operation returns for one tenant.
async fn read(
    context: Context,
    mut rows: Rows,
    mut call: Call,
    size: Size,
) -> Result<Ended, Failure> {
    let session = Session::open(&context).await?;
    let lms = &session.lms;
    let decided = match call.command.output {
        Output::List { .. } => {
            references::resolve(&context, lms, &mut call).await?;
            let print = async |page: Page<Box<RawValue>>| rows.print(&page.items);
            each_page(call.request(lms)?, size, true, print).await
        }
        _ => {
            let object = references::object(&context, lms, call).await?;
            rows.print(&[object]).map(drop)
        }
    };
    Ok(rows.ended(decided))
}
