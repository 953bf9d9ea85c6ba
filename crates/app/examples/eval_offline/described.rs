//! [`ask`]: a question with tools that nobody has written, as BFCL describes them.

use std::{error::Error, sync::Arc};

use serde_json::Value;
use toolwright_app::App;
use toolwright_core::{FnTool, Output, Tool, ToolSpec};
use toolwright_runtime::{Agent, RunStream, Toolbox};

use crate::question::Case;

/// Asks the model of `app` with the tools of the case. They do nothing.
pub(crate) fn ask(app: &App, case: &Case) -> Result<RunStream, Box<dyn Error>> {
    let toolbox = Toolbox::builder().tools(case.tools.iter().map(tool)).build()?;
    let model = app.session.agent().settings().model.clone();
    let agent = Agent::builder(model).toolbox(Arc::new(toolbox)).rounds(1).build()?;
    Ok(agent.run(case.turns.first().map(|it| it.ask.as_str()).unwrap_or_default()))
}

fn tool(definition: &Value) -> Arc<dyn Tool> {
    let function = definition.get("function").unwrap_or(definition);
    let text = |key: &str| function.get(key).and_then(Value::as_str).unwrap_or_default();
    let parameters = function.get("parameters").cloned().unwrap_or_default();
    let spec = ToolSpec::new(text("name"), text("description"), parameters);
    Arc::new(FnTool::new(spec, |_, _| Box::pin(async { Output::from_value("done".to_owned()) })))
}
