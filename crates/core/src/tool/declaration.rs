//! [`ToolDeclaration`]: what is said about a tool by whoever uses it, where whoever made it could not.

use std::sync::Arc;

use futures_core::future::BoxFuture;
use serde::Deserialize;
use serde_json::Value;

use super::{CallPreview, OpaqueCommand, RunContext, Tool, ToolEffect, ToolResult, ToolSpec};

/// What is said about a tool that was made elsewhere, in the words of `#[tool(…)]`. What is not said is left
/// as it is.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToolDeclaration {
    /// What running it does to the world.
    pub effect: Option<ToolEffect>,
    /// Parameters whose values must have come from an earlier result, the user or the configuration.
    pub grounded: Option<Vec<String>>,
    /// Parameters whose values are carried out.
    pub executable: Option<Vec<String>>,
    /// Parameters that hold free text.
    pub free_text: Option<Vec<String>>,
    /// Tools that must have answered before.
    pub after: Option<Vec<String>>,
    /// Things people say when they want it.
    pub examples: Option<Vec<String>>,
}

impl ToolDeclaration {
    /// The tool as it is declared here.
    ///
    /// # Errors
    /// When something is declared of a parameter that the tool has not: what was to be guarded would not be.
    pub fn apply(&self, tool: Arc<dyn Tool>) -> Result<Arc<dyn Tool>, String> {
        let mut spec = tool.spec().clone();
        let named = [&self.grounded, &self.executable, &self.free_text];
        if let Some(missing) = named.into_iter().flatten().flatten().find(|it| !has(&spec, it)) {
            return Err(format!("it is declared to have a parameter `{missing}`, and has none"));
        }
        let set = |field: &mut Vec<String>, said: &Option<Vec<String>>| {
            if let Some(said) = said {
                field.clone_from(said);
            }
        };
        set(&mut spec.grounded, &self.grounded);
        set(&mut spec.executable, &self.executable);
        set(&mut spec.free_text, &self.free_text);
        set(&mut spec.after, &self.after);
        set(&mut spec.examples, &self.examples);
        spec.effect = self.effect.unwrap_or(spec.effect);
        let is_same = spec == *tool.spec();
        Ok(if is_same { tool } else { Arc::new(DeclaredTool { spec, tool }) })
    }
}

fn has(spec: &ToolSpec, parameter: &str) -> bool {
    spec.parameters.get("properties").and_then(|it| it.get(parameter)).is_some()
}

/// A tool with another spec.
struct DeclaredTool {
    spec: ToolSpec,
    tool: Arc<dyn Tool>,
}

impl Tool for DeclaredTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        self.tool.call(arguments, context)
    }

    fn opaque_commands(&self, arguments: &Value) -> Vec<OpaqueCommand> {
        self.tool.opaque_commands(arguments)
    }

    fn preview<'a>(
        &'a self,
        arguments: &'a Value,
        context: &'a RunContext,
    ) -> BoxFuture<'a, CallPreview> {
        self.tool.preview(arguments, context)
    }
}
