//! The calls that find nothing: whether the service says so, or a gateway in front of it.
//!
//! Each response has to have the [form](AbsentForm) of that for an object that cannot exist. This is requested when the first
//! call finds nothing, and again at the end of the reading, together with an object that was found: an outage may begin or end
//! during the reading. If no call found an object, only JSON is believed, since the service responds with JSON.

use lms_ext::Lms;

use super::call::{Called, call};
use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    extract::{
        absent::{AbsentForm, absent_id},
        page::Fill,
        reading::Reading,
    },
};

/// Number of objects that were found, of which one has to be found again.
const KNOWN: usize = 3;

/// The calls of a reading, as far as they are needed to check those that find nothing.
#[derive(Debug, Default)]
pub(super) struct Absences {
    /// The parameters of a call.
    pub(super) example: Option<Fill>,
    /// The parameters of some calls that found an object.
    known: Vec<Fill>,
}

impl Absences {
    /// Checks a batch. `form` is that of the responses before it.
    pub(super) async fn check(
        &mut self,
        lms: &Lms,
        of: &'static Collection,
        reading: &Reading,
        called: &[(Called, Fill)],
        form: &mut Option<AbsentForm>,
    ) -> Result<(), Error> {
        for (call, parameters) in called {
            self.example.get_or_insert_with(|| parameters.clone());
            let Some(absent) = call.absent else {
                if self.known.len() < KNOWN {
                    self.known.push(parameters.clone());
                }
                continue;
            };
            let is_of_service = match *form {
                Some(form) => absent.is_like(form),
                None => is_like_control(lms, of, reading, parameters, absent).await?,
            };
            form.get_or_insert(absent);
            if !is_of_service {
                let ids: Vec<&str> = parameters.iter().map(|(_, id)| id.as_str()).collect();
                let item = format!("the response for {}", ids.join(", "));
                return Err(not_of_the_service(of, &item));
            }
        }
        Ok(())
    }

    /// Checks at the end of the reading that the responses of this form are those of the service.
    pub(super) async fn confirm(
        &self,
        lms: &Lms,
        of: &'static Collection,
        reading: &Reading,
        form: Option<AbsentForm>,
    ) -> Result<(), Error> {
        let (Some(form), Some(example)) = (form, &self.example) else {
            return Ok(());
        };
        let mut is_of_service = self.known.is_empty() && form.is_json;
        for known in &self.known {
            is_of_service = call(lms, of, known, reading).await?.absent.is_none();
            if is_of_service {
                break;
            }
        }
        if is_of_service && is_like_control(lms, of, reading, example, form).await? {
            return Ok(());
        }
        Err(not_of_the_service(of, "each response"))
    }
}

/// Returns `true` if the service responds in this form for an object that cannot exist.
async fn is_like_control(
    lms: &Lms,
    of: &'static Collection,
    reading: &Reading,
    example: &Fill,
    form: AbsentForm,
) -> Result<bool, Error> {
    let impossible = example.iter().map(|(name, id)| (*name, absent_id(id)));
    let control = match call(lms, of, &impossible.collect(), reading).await {
        Ok(called) => called.absent,
        Err(error) => Some(
            error
                .tenant_error()
                .and_then(AbsentForm::of_impossible)
                .ok_or(error)?,
        ),
    };
    Ok(control.is_some_and(|control| form.is_like(control)))
}

fn not_of_the_service(of: &Collection, response: &str) -> Error {
    ErrorKind::Incomplete.error(format!(
        "{} is not complete: {response} that says that there is none may be of a gateway, because the service does not respond like \
         this for an object that cannot exist, or finds no other one; start the run again",
        of.name
    ))
}
