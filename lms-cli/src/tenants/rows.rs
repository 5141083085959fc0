//! The objects of several tenants in one list, each with the name of its tenant.

use std::future::Future;

use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::mpsc;

use super::{Ended, conclude, contexts, run};
use crate::{
    context::Context,
    failure::{self, Failure},
    output::{Printer, TENANT},
    selection::Selection,
};

/// Objects of a tenant.
type Page = Vec<Box<RawValue>>;

/// Takes the objects of one tenant.
#[derive(Debug)]
pub(crate) struct Rows {
    tenant: String,
    pages: mpsc::Sender<Page>,
    sent: u64,
}

impl Rows {
    /// Prints objects with the name of the tenant. Returns `false` if the output has no reader any more.
    pub(crate) async fn send(&mut self, objects: Page) -> Result<bool, Failure> {
        self.sent += objects.len() as u64;
        let named = objects.iter().map(|object| named(&self.tenant, object));
        let sent = self.pages.send(named.collect::<Result<_, _>>()?).await;
        Ok(sent.is_ok())
    }

    /// Number of objects that were sent.
    pub(crate) fn sent(&self) -> u64 {
        self.sent
    }

    /// The result for the tenant whose rows these are.
    pub(crate) fn ended(&self, decided: Result<(), Failure>) -> Ended {
        Ended::of_rows(self.sent, decided)
    }
}

/// Runs `work` for each tenant, and prints the objects that it sends as they arrive.
pub(crate) async fn print<F>(
    context: &Context,
    selection: &Selection,
    printer: Printer,
    mut work: impl FnMut(Context, Rows) -> F,
) -> Result<(), Failure>
where
    F: Future<Output = Result<Ended, Failure>> + 'static,
{
    let contexts = contexts(context, selection)?;
    let mut printer = printer.of_tenants();
    let (pages, mut arriving) = mpsc::channel(selection.at_once);
    // The last sender is dropped with this function, when every tenant has ended.
    let read = move |context: Context| {
        let rows = Rows {
            tenant: context.tenant.clone().unwrap_or_default(),
            pages: pages.clone(),
            sent: 0,
        };
        work(context, rows)
    };
    let reading = run(selection, contexts, read);
    let printing = async {
        while let Some(page) = arriving.recv().await {
            let page: Page = page;
            printer.page(page.iter().map(|object| &**object))?;
        }
        Ok::<_, Failure>(printer)
    };
    let (outcomes, printed) = tokio::join!(reading, printing);
    let decided = conclude(context, selection, outcomes, &[]);
    failure::conclude(decided, printed.and_then(Printer::finish))
}

/// An object with the name of its tenant.
fn named(tenant: &str, object: &RawValue) -> Result<Box<RawValue>, Failure> {
    let name = to_raw_value(tenant)?;
    let Some(members) = object.get().strip_prefix('{') else {
        return Ok(object.to_owned());
    };
    let comma = if members.trim_start() == "}" { "" } else { "," };
    let text = format!("{{\"{TENANT}\":{name}{comma}{members}");
    Ok(RawValue::from_string(text)?)
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
