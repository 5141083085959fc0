//! The objects of several tenants in one list, each with the name of its tenant.

use std::{cell::RefCell, rc::Rc};

use serde_json::value::{RawValue, to_raw_value};

use super::{Ended, conclude, contexts, run};
use crate::{
    context::Context,
    failure::{self, Failure},
    output::{Printer, TENANT},
    selection::Selection,
};

/// Prints the objects of one tenant.
pub(crate) struct Rows {
    tenant: String,
    /// That of all tenants.
    printer: Rc<RefCell<Printer>>,
    printed: u64,
}

impl Rows {
    /// Prints objects with the name of the tenant. Returns `false` if the output has no reader any more.
    pub(crate) fn print(&mut self, objects: &[Box<RawValue>]) -> Result<bool, Failure> {
        let named = objects.iter().map(|object| named(&self.tenant, object));
        let named: Vec<_> = named.collect::<Result<_, _>>()?;
        let mut printer = self.printer.borrow_mut();
        printer.page(named.iter().map(|object| &**object))?;
        self.printed += objects.len() as u64;
        Ok(!printer.has_no_reader())
    }

    /// The result for the tenant whose rows these are.
    pub(crate) fn ended(&self, decided: Result<(), Failure>) -> Ended {
        Ended::of_rows(self.printed, decided)
    }
}

/// Runs `work` for each tenant, which prints objects as they arrive.
pub(crate) async fn print<F>(
    context: &Context,
    selection: &Selection,
    printer: Printer,
    mut work: impl FnMut(Context, Rows) -> F,
) -> Result<(), Failure>
where
    F: Future<Output = Result<Ended, Failure>> + 'static,
{
    let printer = Rc::new(RefCell::new(printer.of_tenants()));
    let read = |context: Context| {
        let rows = Rows {
            tenant: context.tenant.clone().unwrap_or_default(),
            printer: printer.clone(),
            printed: 0,
        };
        work(context, rows)
    };
    let outcomes = run(selection, contexts(context, selection)?, read).await;
    let decided = conclude(context, selection, outcomes, &[]);
    // Every tenant has ended, and dropped its rows.
    let printer = Rc::into_inner(printer).ok_or_else(|| Failure::fault("a tenant still prints"));
    let printed = printer.and_then(|printer| printer.into_inner().finish());
    failure::conclude(decided, printed)
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
