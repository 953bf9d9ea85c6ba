//! Values: JSON as models really write it, and the text of tags.

pub(crate) mod escape;
pub(crate) mod json;
pub(crate) mod number;
pub(crate) mod quick;
mod scalar;
pub(crate) mod schema;
mod string;
