//! The demo: two small tools, and a model that is a script.

mod model;
mod tools;

pub(crate) use self::{model::model, tools::tools};
