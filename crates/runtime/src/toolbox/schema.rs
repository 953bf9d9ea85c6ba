//! [`Schema`]: a compiled JSON Schema that says everything that is wrong at once.

use std::sync::OnceLock;

use jsonschema::{Validator, error::ValidationErrorKind};
use serde_json::Value;
use toolwright_core::truncate_line;

use super::schema_cost::SchemaCost;

/// A JSON Schema, compiled when it is first needed: compiling one checks it against the schema of
/// schemas, which takes longer than everything else a program does before its first request.
/// References to files or other hosts are never resolved.
#[derive(Default)]
pub(crate) struct Schema(OnceLock<Result<Compiled, String>>);

/// A schema that can be checked against, and what that may cost.
pub(crate) struct Compiled {
    validator: Validator,
    cost: SchemaCost,
}

/// More evaluations than this are not made for a value: they would take longer than a person waits.
const MOST_EVALUATIONS: u64 = 10_000_000;
/// With more, what exactly is wrong is not found out: that takes many times as long.
const MOST_EXPLAINED: u64 = 500_000;

/// More violations than this teach a model nothing new.
const MOST: usize = 16;

impl Schema {
    /// Compiles `schema`, unless that was done before.
    pub(crate) fn compiled(&self, schema: &Value) -> Result<&Compiled, &String> {
        let compile = || {
            let cost = SchemaCost::of(schema).ok_or_else(|| TRAP.to_owned())?;
            let options = jsonschema::options().should_validate_formats(true);
            let validator = options.build(schema).map_err(|error| unusable(&error.to_string()))?;
            Ok(Compiled { validator, cost })
        };
        self.0.get_or_init(compile).as_ref()
    }

    /// What is wrong with a value, which people call `whole`. A schema that is itself wrong lets nothing
    /// pass.
    pub(crate) fn violations(&self, schema: &Value, value: &Value, whole: &str) -> Vec<String> {
        let Compiled { validator, cost } = match self.compiled(schema) {
            Ok(compiled) => compiled,
            Err(error) => return vec![format!("the schema of the {whole} is unusable: {error}")],
        };
        let cost = cost.of_value(value, MOST_EVALUATIONS);
        if cost > MOST_EVALUATIONS {
            return vec![format!(
                "{whole}: it is too deeply nested for a schema with so many choices to be checked"
            )];
        }
        if validator.is_valid(value) {
            return Vec::new();
        }
        if cost > MOST_EXPLAINED {
            return vec![format!(
                "{whole}: it fits none of the choices of the schema; there are too many to tell why"
            )];
        }
        let errors = validator.iter_errors(value).take(MOST);
        errors.map(|error| describe(&error, whole)).collect()
    }
}

/// A JSON Schema that values are held against, within bounds of what that may cost.
pub struct ValueSchema {
    schema: Value,
    compiled: Schema,
}

impl ValueSchema {
    /// This schema. Whether it is one is found out when it is first needed.
    pub fn new(schema: Value) -> Self {
        Self { schema, compiled: Schema::default() }
    }

    /// What is wrong with a value, which people call `whole`; nothing where it fits.
    pub fn violations(&self, value: &Value, whole: &str) -> Vec<String> {
        self.compiled.violations(&self.schema, value, whole)
    }
}

/// What is said of a schema that nothing can be checked against in a lifetime.
const TRAP: &str = "it leads back to itself, or has too many choices within choices, to be checked";

/// Why a schema cannot be used, without what only whoever builds this program could do about it.
fn unusable(reason: &str) -> String {
    match reason.split_once("and retrieving it failed") {
        Some((resource, _)) => {
            format!("{}: nothing is fetched, so write it into the schema", resource.trim_end())
        }
        None => reason.to_owned(),
    }
}

fn describe(error: &jsonschema::ValidationError<'_>, whole: &str) -> String {
    let at = error.instance_path().to_string();
    let place = if at.is_empty() { whole.to_owned() } else { format!("`{at}`") };
    format!("{place}: {}", problem(error))
}

fn problem(error: &jsonschema::ValidationError<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::Required { property } => format!("{property} is required"),
        ValidationErrorKind::Enum { options } => {
            let given = truncate_line(&error.instance().to_string(), GIVEN);
            format!("{given} is not one of {}", choices(options))
        }
        // An optional choice is a choice or nothing: what is wrong is told by the choice.
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let mut inner = context.iter().flatten();
            let choice = inner.find(|it| matches!(it.kind(), ValidationErrorKind::Enum { .. }));
            choice.map_or_else(|| shorten(&error.to_string()), problem)
        }
        _ => shorten(&error.to_string()),
    }
}

/// How much of a value that is not allowed is repeated, in characters.
const GIVEN: usize = 100;
/// How much of the values that are allowed is told. A model that does not see one cannot choose it, so
/// only what no prompt could hold is left out.
const CHOICES: usize = 4_000;

/// Every value that is allowed.
fn choices(options: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut told = String::new();
    for (at, option) in options.iter().enumerate() {
        let option = option.to_string();
        if told.len() + option.len() > CHOICES {
            let left = options.len() - at;
            return format!("{told} (and {left} more, which are in the tool's definition)");
        }
        if at > 0 {
            told.push_str(", ");
        }
        told.push_str(&option);
    }
    told
}

/// The crate quotes the offending value, which may be as long as the model made it.
fn shorten(text: &str) -> String {
    const MOST: usize = 300;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
