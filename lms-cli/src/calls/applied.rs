//! The result of a write, or of its dry run.

use lms_plan::Edit;
use serde_json::value::RawValue;

/// The effect of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Added,
    /// There was such an object already.
    Existed,
    Changed,
    /// There was such an object already, and it got tags.
    Tagged,
    /// There was such an object already, and it was enrolled; it may also have got tags.
    Enrolled,
    /// Every field had its value already.
    Unchanged,
    /// The object, or the value to remove, is gone.
    Removed,
    /// There was nothing to remove.
    Absent,
}

impl Effect {
    /// The effects with their names, in the order in which they are reported.
    pub(crate) const ALL: [(Self, &str); 8] = [
        (Self::Added, "added"),
        (Self::Existed, "existed"),
        (Self::Changed, "changed"),
        (Self::Tagged, "tagged"),
        (Self::Enrolled, "enrolled"),
        (Self::Unchanged, "unchanged"),
        (Self::Removed, "removed"),
        (Self::Absent, "absent"),
    ];

    pub(crate) fn name(self) -> &'static str {
        let mut effects = Self::ALL.into_iter();
        effects
            .find(|(effect, _)| *effect == self)
            .map_or("", |(_, name)| name)
    }
}

/// The result of a write, with its output.
#[derive(Debug)]
pub(crate) struct Applied {
    pub(crate) effect: Effect,
    /// The id of the object.
    pub(crate) id: Option<String>,
    /// Further lines for people.
    pub(crate) notes: Vec<String>,
    /// The fields of an object that existed which differ from the request.
    pub(crate) differs: Vec<String>,
    /// The changes of an object that existed, for the ledger.
    pub(crate) edit: Option<Edit>,
    /// `true` if the object is the task of a change that has only begun, and has to be waited for.
    pub(crate) has_begun: bool,
    /// Number of enrolments that end.
    pub(crate) ended: Option<u64>,
    /// The object that the service has returned.
    pub(crate) shown: Option<Box<RawValue>>,
}

impl Applied {
    pub(crate) fn new(effect: Effect, shown: Option<Box<RawValue>>) -> Self {
        Self {
            effect,
            id: shown.as_deref().and_then(id_of),
            notes: Vec::new(),
            differs: Vec::new(),
            edit: None,
            has_begun: false,
            ended: None,
            shown,
        }
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// The id of an object; `None` if it has none.
pub(crate) fn id_of(object: &RawValue) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Named {
        id: Option<String>,
    }
    let named: Named = serde_json::from_str(object.get()).ok()?;
    named.id.filter(|id| !id.is_empty())
}
