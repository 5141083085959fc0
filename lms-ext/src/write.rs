//! Writes that take several requests, and their dry runs.

use std::fmt;

use crate::{error::Error, request::CallFuture};

/// The mode of a call that needs several requests: it writes, or only reads.
///
/// [`Write`], [`EnsureLearner`](crate::EnsureLearner), [`EnsureEnrolment`](crate::EnsureEnrolment) and
/// [`SyncEnrolments`](crate::SyncEnrolments) have a method `run` that takes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WriteMode {
    /// Write: add what is missing, change what differs, or delete.
    #[default]
    Apply,
    /// Only read, and return the changes. Values that the service would refuse are not detected.
    DryRun,
}

/// Lets a call with a method `run` be awaited.
macro_rules! awaited {
    ($call:ty => $output:ty $(, $generic:ident)?) => {
        impl $(<$generic>)? $call {
            /// Makes the call, like `.await`; for [`Lms::bulk`](crate::Lms::bulk) and for `select!`.
            #[inline]
            pub fn call(self) -> CallFuture<$output> {
                self.run(WriteMode::Apply)
            }
        }

        impl $(<$generic>)? IntoFuture for $call {
            type Output = Result<$output, Error>;
            type IntoFuture = CallFuture<$output>;

            #[inline]
            fn into_future(self) -> Self::IntoFuture {
                self.call()
            }
        }
    };
}

pub(crate) use awaited;

awaited!(Write<T> => T, T);

/// A write: `.await` it, or [run](Self::run) it in a mode.
#[must_use = "nothing is sent: write `.await`"]
pub struct Write<T>(Box<dyn FnOnce(WriteMode) -> CallFuture<T> + Send>);

impl<T> Write<T> {
    pub(crate) fn new<F>(write: impl FnOnce(WriteMode) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        Self(Box::new(move |mode| Box::pin(write(mode))))
    }

    /// Makes the write, or in a dry run only reads, and returns what would be written.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::WriteMode;
    ///
    /// let planned = lms.update_learner("l1", |l| l.tags.clear()).run(WriteMode::DryRun).await?;
    /// for change in planned.changes() {
    ///     println!("{change}"); // tags: ["emea"] → []
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of the method that returned the write.
    pub fn run(self, mode: WriteMode) -> CallFuture<T> {
        (self.0)(mode)
    }
}

impl<T> fmt::Debug for Write<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Write")
    }
}
