//! [`Asking`]: how a model is asked for an answer that has a form; and [`OutputForm`], which tells whether it has it.

use serde_json::Value;
use toolwright_core::{
    FinishReason, Model, ModelDelta, ModelResponse, OutputSchema, OutputStrategy, OutputValidator,
    ToolChoice, ToolDefinitions, ToolSpec,
};

use crate::{ToolboxError, toolbox::schema::Schema};

/// The tool whose arguments are the answer.
const FINAL_ANSWER: &str = "final_answer";

/// Whether answers can have this form at all.
pub(crate) fn check_output(output: &OutputSchema) -> Result<(), ToolboxError> {
    let compiled = Schema::default();
    let compiled = compiled.compiled(&output.schema).map(|_| ());
    compiled.map_err(|reason| ToolboxError::BadOutput(reason.clone()))
}

/// Tells whether an answer has the form of its run.
#[derive(Default)]
pub(crate) struct OutputForm(Schema);

impl OutputValidator for OutputForm {
    fn violations(&self, output: &OutputSchema, answer: &Value) -> Vec<String> {
        self.0.violations(&output.schema, answer, "answer")
    }
}

/// How a model is asked for an answer that has a form.
pub(crate) struct Asking {
    strategy: OutputStrategy,
    tool: Option<ToolDefinitions>,
}

impl Asking {
    /// As this model can best be held to it.
    pub(crate) fn new(output: &OutputSchema, model: &dyn Model) -> Self {
        let strategy = model.output_strategy();
        let tool = (strategy == OutputStrategy::Tool).then(|| {
            let spec = ToolSpec::new(FINAL_ANSWER, "Gives the final answer.", output.sent());
            ToolDefinitions::new([spec.into()])
        });
        Self { strategy, tool }
    }

    pub(crate) fn is_native(&self) -> bool {
        self.strategy == OutputStrategy::Native
    }

    /// The tool that it has to call instead.
    pub(crate) fn tool(&self) -> Option<&ToolDefinitions> {
        self.tool.as_ref()
    }

    /// That it has to.
    pub(crate) fn choice() -> ToolChoice {
        ToolChoice::Tool(FINAL_ANSWER.to_owned())
    }

    /// A part of its reply, with the arguments of that tool as the text they stand for.
    pub(crate) fn heard(&self, part: ModelDelta) -> ModelDelta {
        match part {
            part if self.tool.is_none() => part,
            ModelDelta::CallName { .. } => ModelDelta::Text(String::new()),
            ModelDelta::CallArguments { json, .. } => ModelDelta::Text(json),
            ModelDelta::Response(reply) => ModelDelta::Response(answer_of(reply)),
            part => part,
        }
    }
}

fn answer_of(mut reply: ModelResponse) -> ModelResponse {
    if let Some(at) = reply.calls.iter().position(|call| call.name == FINAL_ANSWER) {
        reply.text = reply.calls.swap_remove(at).arguments;
        reply.calls.clear();
        if reply.finish == FinishReason::ToolCalls {
            reply.finish = FinishReason::Stop;
        }
    }
    reply
}
