//! The objects that a call refers to: each text that is a name is replaced by what the service identifies the object by.

use std::collections::{BTreeSet, HashMap};

use lms_ext::{Error, Lms};
use serde_json::value::RawValue;

use crate::{
    calls::{Call, input::Place, label},
    context::Context,
    failure::Failure,
    operations::table::Output,
    resolve::{
        kind::{ObjectKind, Reference},
        object::{self, Object, Unresolved},
        tenant::{self, Resolved, may_be_id},
    },
};

/// Number of names that are shown.
const SHOWN: usize = 20;

/// The texts of a call that refer to objects.
pub(super) fn of(call: &Call) -> BTreeSet<(ObjectKind, String)> {
    let references = each(call).into_iter();
    let texts = references.map(|(reference, _, text)| (reference.kind, text));
    texts.collect()
}

/// The references of a call, with their places.
fn each(call: &Call) -> Vec<(Reference, Place, String)> {
    let (mut references, mut call) = (Vec::new(), call.clone());
    // Putting the same text back does not fail.
    let _ = call
        .input
        .replace_references(call.command, |reference, place, text| {
            references.push((reference, place, text.to_owned()));
            Ok::<_, Failure>(text.to_owned())
        });
    references
}

/// Replaces the texts of a call. A text that was not looked up stays.
///
/// # Errors
///
/// Not found or usage, if a text names no object or several.
pub(super) fn replace(call: &mut Call, resolved: &Resolved) -> Result<(), Failure> {
    call.input
        .replace_references(call.command, |reference, place, text| {
            match resolved.get(&(reference.kind, text.to_owned())) {
                None => Ok(text.to_owned()),
                Some(Ok(object)) => {
                    let found = object.text(reference.by).map(str::to_owned);
                    found.ok_or_else(|| {
                        let (noun, field) = (reference.kind.noun(), reference.by);
                        Failure::usage(format!("the {noun} {text} has no {field}"))
                            .advice(format!("use the id: {}", object.id))
                    })
                }
                Some(Err(Unresolved::None(_))) if is_set(reference, place) => Ok(text.to_owned()),
                Some(Err(unresolved)) => Err(object::failure(unresolved, reference.kind, text)),
            }
        })
}

/// `true` for a text that makes an object if there is none, and one that is taken away wherever it is.
fn is_set(reference: Reference, place: Place) -> bool {
    reference.may_be_new() && matches!(place, Place::Body | Place::Add | Place::Remove)
}

/// Lines that say which object each name of calls was taken for.
pub(super) fn shown<'a>(calls: impl Iterator<Item = &'a Call>, resolved: &Resolved) -> Vec<String> {
    let mut lines = BTreeSet::new();
    for (reference, place, text) in calls.flat_map(each) {
        let noun = reference.kind.noun();
        match resolved.get(&(reference.kind, text.clone())) {
            Some(Ok(object)) if object.text(reference.by).is_some_and(|found| found != text) => {
                let found = object.text(reference.by).unwrap_or_default();
                lines.insert(object.taken_for(&noun, &text, found));
            }
            Some(Err(unresolved @ Unresolved::None(_))) if is_set(reference, place) => {
                let nearest = unresolved.nearest();
                let nearest = nearest.map_or(String::new(), |nearest| format!("; {nearest}"));
                lines.insert(match place {
                    Place::Remove => format!("there is no {noun} {text}{nearest}"),
                    _ => format!("the {noun} {text} is new{nearest}"),
                });
            }
            _ => {}
        }
    }
    let more = lines.len().saturating_sub(SHOWN);
    let mut lines: Vec<String> = lines.into_iter().take(SHOWN).collect();
    if more > 0 {
        lines.push(format!("and {more} more names"));
    }
    lines
}

/// Objects by kind and id.
pub(super) type Known = HashMap<(&'static str, String), Object>;

/// The objects that were found.
pub(super) fn known(resolved: Resolved) -> Known {
    let found = resolved.into_iter();
    let found = found.filter_map(|((kind, _), object)| Some((kind, object.ok()?)));
    let found = found.map(|(kind, object)| ((kind.resource(), object.id.clone()), object));
    found.collect()
}

/// The objects of a call with their names, such as `Ann Lee (l1, ann@acme.example) in Fire safety (c1)`.
pub(super) fn label(call: &Call, known: &Known) -> String {
    // Learners before courses.
    let objects = of(call).into_iter().rev();
    let named = objects.map(|(kind, id)| label::of(&id, known.get(&(kind.resource(), id.clone()))));
    let named = named.collect::<Vec<_>>().join(" in ");
    match named.is_empty() {
        true => call.input.path(call.command).join(" "),
        false => named,
    }
}

/// Finds the objects that a call refers to, and shows them.
pub(super) async fn resolve(
    context: &Context,
    lms: &Lms,
    call: &mut Call,
) -> Result<Known, Failure> {
    let resolved = tenant::all(lms, of(call), true, 1).await?;
    take(context, call, &resolved)?;
    Ok(known(resolved))
}

fn take(context: &Context, call: &mut Call, resolved: &Resolved) -> Result<(), Failure> {
    let lines = shown([&*call].into_iter(), resolved);
    replace(call, resolved)?;
    lines.iter().for_each(|line| context.note(line));
    Ok(())
}

/// The object that a call returns.
///
/// The request for one object is the lookup of its id. So it is sent first, and names are looked up only if there is none.
pub(super) async fn object(
    context: &Context,
    lms: &Lms,
    mut call: Call,
) -> Result<Box<RawValue>, Failure> {
    let texts = of(&call);
    let is_lookup = texts.len() == 1 && matches!(call.command.path, [_]);
    let may_be_it = |(kind, text): &(ObjectKind, String)| {
        let field = call.command.path.first();
        let by = field.and_then(|field| Reference::of_path(call.command, field));
        match by.map(|reference| reference.by) {
            Some("id") => may_be_id(*kind, text),
            _ => text.contains('@'),
        }
    };
    if !is_lookup || !texts.iter().all(may_be_it) {
        resolve(context, lms, &mut call).await?;
        return Ok(call.request(lms)?.call_as().await?.value);
    }
    let error = match call.request(lms)?.call_as().await {
        Ok(response) => return Ok(response.value),
        Err(error) if error.is_not_found() => error,
        Err(error) => return Err(error.into()),
    };
    let resolved = tenant::all(lms, texts, false, 1).await?;
    if let Some(Err(unresolved @ Unresolved::None(_))) = resolved.values().next() {
        return Err(missing(&error, unresolved, &call));
    }
    take(context, &mut call, &resolved)?;
    Ok(call.request(lms)?.call_as().await?.value)
}

/// The failure of a lookup, with the nearest names.
fn missing(error: &Error, unresolved: &Unresolved, call: &Call) -> Failure {
    let failure = Failure::from(error);
    match (unresolved.nearest(), &call.command.output) {
        (Some(nearest), Output::Object(_)) => failure.extended(&nearest),
        _ => failure,
    }
}
