//! An edit that can be reviewed before it is applied.

use std::fmt;

use super::{
    Edited,
    change::Change,
    snapshot::{Edit, Snapshot},
    target::Editable,
    turn,
};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    request::CallFuture,
};

/// An edit that has not been written yet.
///
/// Returned by [`Lms::plan_update_learner`] and [`Lms::plan_update_course`]. `Display` prints one line per
/// changed field. It contains values of the object, like [`changes`](Self::changes), so treat it as confidential.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// let plan = lms.plan_update_course("c1", |course| course.name = Some("Safety".into())).await?;
/// println!("{plan}"); // course c1: 1 field changes
///                     //   name: "Old name" → "Safety"
/// if plan.changes().iter().all(|change| change.field() == "name") {
///     plan.apply().await?;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Plan<T> {
    lms: Lms,
    id: String,
    edit: Edit,
    changes: Vec<Change>,
    name: &'static str,
    apply: fn(&Self) -> CallFuture<Edited<T>>,
}

impl<T> Plan<T> {
    pub(super) fn new(lms: Lms, id: String, edit: Edit) -> Self
    where
        T: Editable,
    {
        let changes = edit.visible_changes();
        Self {
            lms,
            id,
            edit,
            changes,
            name: T::NAME,
            apply: |plan| Box::pin(apply(plan.lms.clone(), plan.id.clone(), plan.edit.clone())),
        }
    }

    /// The fields that would change, sorted by name; a new password, hidden, comes last.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether nothing would change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Applies the changes.
    ///
    /// Reads the object again first, and keeps what other clients changed in other fields. A field that already has
    /// its new value is not a conflict, so a plan can be applied again after an error. If nothing is left to
    /// change, nothing is written. The service has no versions, so a change by another client between this read
    /// and the write that follows is overwritten.
    ///
    /// # Errors
    ///
    /// A [conflict](Error::is_conflict) if a field of the plan has changed since it was planned. Then nothing is
    /// written, and [`fields`](Error::fields) lists those fields. Otherwise the errors of
    /// [`Lms::update_learner`].
    pub fn apply(&self) -> CallFuture<Edited<T>> {
        (self.apply)(self)
    }
}

async fn apply<T: Editable>(lms: Lms, id: String, edit: Edit) -> Result<Edited<T>, Error> {
    let read = || Snapshot::<T>::read(&lms, &id);
    let decide = |now: Snapshot<T>| {
        now.check_required(&edit)?;
        refuse_conflicts::<T>(now.conflicts(&edit)?)?;
        now.write(&lms, &id, edit)
    };
    lms.take_turn(&turn::<T>(&id), read, decide).await
}

fn refuse_conflicts<T: Editable>(conflicts: Vec<String>) -> Result<(), Error> {
    if conflicts.is_empty() {
        return Ok(());
    }
    let detail = format!(
        "{} of the {} changed after the edit was planned, so nothing was written; plan the edit again",
        conflicts.join(", "),
        T::NAME
    );
    Err(Error::new(ErrorKind::Conflict, detail).with_fields(conflicts))
}

impl Edit {
    /// The changes, with a hidden password.
    #[inline]
    pub(super) fn visible_changes(&self) -> Vec<Change> {
        let mut changes = self.changes.clone();
        if self.password.is_some() {
            changes.push(Change::new("password", None, Some(&"<hidden>".into())));
        }
        changes
    }
}

impl<T> fmt::Display for Plan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name;
        match self.changes.len() {
            0 => write!(f, "{name} {}: nothing changes", self.id)?,
            1 => write!(f, "{name} {}: 1 field changes", self.id)?,
            several => write!(f, "{name} {}: {several} fields change", self.id)?,
        }
        for change in &self.changes {
            match change.field() {
                "password" => f.write_str("\n  password: a new one (hidden)")?,
                _ => write!(f, "\n  {change}")?,
            }
        }
        Ok(())
    }
}

impl<T> fmt::Debug for Plan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("id", &self.id)
            .field("changes", &self.changes)
            .finish_non_exhaustive()
    }
}
