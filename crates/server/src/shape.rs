//! [`Shape`]: how an answer is to be written, and what form it is to have.

use serde_json::Value;
use toolwright_app::Session;
use toolwright_core::{ModelOptions, OutputSchema};

use crate::ApiError;

/// How an answer is to be written, and what form it is to have.
#[derive(Default)]
pub(crate) struct Shape {
    pub(crate) options: ModelOptions,
    pub(crate) output: Option<OutputSchema>,
}

impl Shape {
    /// What the fields `options` and `schema` of a request say.
    pub(crate) fn read(options: Option<&Value>, schema: Option<&Value>) -> Result<Self, ApiError> {
        let options = options.filter(|it| !it.is_null());
        // A list of values would be read as the fields in their order, which nobody was told of.
        if options.is_some_and(|it| !it.is_object()) {
            return Err(refused("options", "they are an object"));
        }
        let options = options.map(serde::Deserialize::deserialize).transpose();
        let options: ModelOptions =
            options.map_err(|it| refused("options", it))?.unwrap_or_default();
        // They would go to the operator's provider beside the operator's key.
        if !options.headers.is_empty() {
            return Err(refused("options.headers", "headers are the operator's to set"));
        }
        let output = match schema.filter(|it| !it.is_null()) {
            Some(schema) => Some(form("schema", "answer", schema)?),
            None => None,
        };
        Ok(Self { options, output })
    }

    /// The agent of a session, made to answer so.
    pub(crate) fn of(self, session: &Session) -> Result<Session, ApiError> {
        let mut agent = session.agent().clone();
        if !self.options.is_empty() {
            let with = agent.with_options(&self.options);
            agent = with.map_err(|error| refused("options", error))?;
        }
        if let Some(output) = self.output {
            agent = agent.with_output(output).map_err(|error| refused("schema", error))?;
        }
        Ok(session.with_agent(agent))
    }
}

/// The form that a JSON Schema in this field describes.
pub(crate) fn form(field: &str, name: &str, schema: &Value) -> Result<OutputSchema, ApiError> {
    OutputSchema::new(name, schema.clone()).map_err(|error| refused(field, error))
}

/// That a field cannot be used.
pub(crate) fn refused(field: &str, reason: impl std::fmt::Display) -> ApiError {
    ApiError::malformed(format!("`{field}`: {reason}"))
}
