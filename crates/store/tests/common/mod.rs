//! What the tests of the store share: places to keep a log, logs to keep, and children to kill.

#![allow(dead_code, reason = "each test program uses a part of it")]

pub(crate) mod child;
pub(crate) mod place;
pub(crate) mod talk;
