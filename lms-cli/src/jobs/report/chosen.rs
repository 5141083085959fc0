//! The objects that the parameters of a report name. Queries are given their ids.

use lms_sync::{Value, mirror::MirrorReader};

use super::{asked::Asked, names::take, parameter::ParameterKind};
use crate::{
    failure::Failure,
    resolve::kind::{ObjectKind, Reference},
};

/// The objects that a report is about.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// The value of a filter that selects each object, with the kind of the object.
    values: Vec<(ObjectKind, String)>,
    /// Lines that say which object each name was taken for.
    pub(super) shown: Vec<String>,
}

impl Chosen {
    /// `true` if a filter selects an object that the report is about: then it leaves out nothing that the report needs.
    pub(super) fn is_selected_by(&self, filter: &str, value: &str) -> bool {
        let of = Reference::of_filter(filter).map(|reference| reference.kind);
        let mut values = self.values.iter();
        values.any(|(kind, chosen)| Some(*kind) == of && chosen == value)
    }
}

impl Asked {
    /// The report with the ids of the objects that parameters name.
    ///
    /// # Errors
    ///
    /// Not found or usage, if a name is that of no object or of several.
    pub(super) fn resolved(
        &self,
        mirror: &mut MirrorReader<'_>,
    ) -> Result<(Self, Chosen), Failure> {
        let (mut resolved, mut chosen) = (self.clone(), Chosen::default());
        // The time of the report comes before the values of its parameters.
        let values = resolved.values.iter_mut().skip(1);
        for (parameter, (.., value)) in self.report.parameters.iter().zip(values) {
            let (ParameterKind::Name(named), Value::Text(name)) = (&parameter.kind, &*value) else {
                continue;
            };
            let Some(taken) = take(mirror, named, name)? else {
                continue;
            };
            chosen.shown.extend(taken.line);
            chosen.values.push((taken.kind, taken.value.clone()));
            *value = Value::Text(taken.value);
        }
        Ok((resolved, chosen))
    }
}
