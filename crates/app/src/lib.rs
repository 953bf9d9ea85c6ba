//! What every face of Toolwright shares: [`Config`] says what was set and where, [`Task`] which
//! tools and instructions a job gets, and [`assemble`] puts an agent together from both.

mod assemble;
pub mod config;
mod demo;
mod error;
mod task;

pub use toolwright_models::openai::without_password;

pub use self::{
    assemble::{App, Engine, assemble, toolbox},
    config::{Config, Flags},
    error::AppError,
    task::Task,
};
