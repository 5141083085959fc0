//! What the measured programs have in common.
