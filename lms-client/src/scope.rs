//! Flags that are set while a closure runs, on its thread.

use std::{cell::Cell, thread::LocalKey};

type Flag = LocalKey<Cell<bool>>;

/// Runs `work` with a flag set.
pub(crate) fn with<R>(flag: &'static Flag, work: impl FnOnce() -> R) -> R {
    /// Restores the flag, also after a panic.
    struct Restore(&'static Flag, bool);

    impl Drop for Restore {
        fn drop(&mut self) {
            self.0.set(self.1);
        }
    }

    let _restore = Restore(flag, flag.replace(true));
    work()
}
