//! Command tools: any executable becomes a tool, without a shell.
//!
//! A [`CommandDefinition`] is what a person writes. Checked for who wrote it ([`Author`]) it becomes a
//! [`CheckedCommand`]; with the feature `run` that becomes a [`CommandSource`], which has one tool. A
//! program gets a list of arguments, each made of one token of the definition, and runs in a sandbox.

#![cfg_attr(not(feature = "run"), allow(dead_code, reason = "definitions are only checked then"))]

mod arguments;
mod check;
mod definition;
mod options;
#[cfg(feature = "run")]
mod result;
#[cfg(feature = "run")]
mod source;
#[cfg(feature = "run")]
mod tool;

pub use self::{
    check::{Author, CheckedCommand},
    definition::{CommandDefinition, OutputForm, SandboxChoice, SandboxOptions},
};
#[cfg(feature = "run")]
pub use self::{
    source::{CommandPlaces, CommandSource},
    tool::CommandTool,
};
