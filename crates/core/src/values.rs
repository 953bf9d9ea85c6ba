//! [`each_leaf`]: the values in results and arguments, as guards and reviewers look at them.

pub use crate::conversation::{ArgumentWords, Leaf, each_leaf, texts};
