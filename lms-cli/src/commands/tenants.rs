//! Commands that read, for several tenants: the objects of all in one list, each with the name of its tenant.

use clap::ArgMatches;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::mpsc;

use super::{
    call::Call,
    learners,
    read::{Size, pages_of},
};
use crate::{
    context::Context,
    failure::{Failure, conclude},
    operations::table::Output,
    output::{Printer, TENANT},
    selection::Selection,
    session::Session,
    tenants::{self, Ended, Printed, Work},
};

/// Objects of a tenant.
type Page = Vec<Box<RawValue>>;

/// Prints the objects that an operation returns for each tenant, as they arrive.
pub(super) async fn run(
    context: &Context,
    selection: &Selection,
    matches: &ArgMatches,
    call: Call,
) -> Result<(), Failure> {
    let contexts = tenants::contexts(context, selection)?;
    let mut printer = Printer::new(context, call.command.output.schema())?.of_tenants();
    let (pages, mut arriving) = mpsc::channel(selection.at_once);
    let size = Size::of(matches);
    // The last sender is dropped with this function, when every tenant has ended.
    let read = move |context| read(context, call.clone(), size, pages.clone());
    let reading = tenants::run(selection, contexts, read);
    let printing = async {
        while let Some(page) = arriving.recv().await {
            let page: Page = page;
            printer.page(page.iter().map(|object| &**object))?;
        }
        Ok::<_, Failure>(printer)
    };
    let (outcomes, printed) = tokio::join!(reading, printing);
    let decided = tenants::conclude(context, selection, outcomes, Printed::Rows);
    conclude(decided, printed.and_then(Printer::finish))
}

/// Reads the objects that an operation returns for one tenant.
async fn read(
    context: Context,
    mut call: Call,
    size: Size,
    printed: mpsc::Sender<Page>,
) -> Result<Ended, Failure> {
    let session = Session::open(&context).await?;
    learners::find_all(&session.lms, &mut call).await?;
    let request = call.request(&session.lms)?;
    let tenant = context.tenant.unwrap_or_default();
    let mut rows = 0;
    let mut send = async |objects: Page| {
        rows += objects.len() as u64;
        let named = objects.iter().map(|object| named(&tenant, object));
        // Without a reader, nothing else is read.
        let sent = printed.send(named.collect::<Result<_, _>>()?).await;
        Ok::<_, Failure>(sent.is_ok())
    };
    let decided = match call.command.output {
        Output::List { .. } => {
            let mut pages = pages_of(request, size);
            loop {
                match pages.try_next().await {
                    Ok(Some(page)) => {
                        if !send(page.items).await? {
                            break Ok(());
                        }
                    }
                    Ok(None) => break Ok(()),
                    Err(error) => break Err(error),
                }
            }
        }
        _ => {
            let object = request.call_as().await?.value;
            send(vec![object]).await?;
            Ok(())
        }
    };
    Ok(Ended::Done(Work {
        rows,
        changes: None,
        complete: decided.is_ok(),
        collections: Vec::new(),
        decided: decided.map_err(|error| match rows {
            0 => Failure::from(error),
            rows => Failure::partial(rows, &error),
        }),
    }))
}

/// An object with the name of its tenant.
fn named(tenant: &str, object: &RawValue) -> Result<Box<RawValue>, Failure> {
    let name = to_raw_value(tenant).map_err(|error| Failure::fault(error.to_string()))?;
    let Some(members) = object.get().strip_prefix('{') else {
        return Ok(object.to_owned());
    };
    let comma = if members.trim_start() == "}" { "" } else { "," };
    let text = format!("{{\"{TENANT}\":{name}{comma}{members}");
    RawValue::from_string(text).map_err(|error| Failure::fault(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_gets_the_name_of_its_tenant_first() {
        for (object, expected) in [
            (r#"{"id": 1.50}"#, r#"{"_tenant":"a\"b","id": 1.50}"#),
            ("{ }", r#"{"_tenant":"a\"b" }"#),
            ("[1]", "[1]"),
        ] {
            let object = RawValue::from_string(object.to_owned()).unwrap();
            assert_eq!(named("a\"b", &object).unwrap().get(), expected);
        }
    }
}
