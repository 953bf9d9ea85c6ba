//! `toolwright mcp serve`: the tools of a task for the program that started this one.

use std::{sync::Arc, time::Duration};

use toolwright_app::{ApprovalRules, CallablePrompt, CallableTools, Config};
use toolwright_mcp::server::{
    DetachedRuns, McpServer, NobodyAsked, PromptParameter, ServedPrompt, ServedTools, serve_stdio,
};

use crate::{
    args::McpServeArgs,
    error::Result,
    exit::Exit,
    stop::asked_to_stop,
    style::{DIM, END, line},
    watch::Watch,
};

/// How many calls run at the same time: those of one client come one after the other, but for those that wait for
/// its user, of which there are at most 64.
const RUNS: usize = 68;
/// How long calls may take to end in good order.
const SETTLING: Duration = Duration::from_secs(4);

pub(crate) async fn run(config: &Config, watch: &Watch, args: &McpServeArgs) -> Result<Exit> {
    let stop = asked_to_stop()?;
    let tools = CallableTools::open(config, watch.observers()).await?;
    let CallableTools { session, context, description, starters, prompts } = tools;
    let rules = ApprovalRules::open(config, session.store()).await?.rules();
    let approve = args.approve;
    let served = ServedTools {
        session,
        instructions: Some(description).filter(|it| !it.is_empty()),
        starters,
        prompts: prompts.into_iter().map(served).collect(),
        context,
        rules,
        approve,
        unasked: Arc::new(NobodyAsked { approve }),
    };
    let runs = DetachedRuns::new(RUNS);
    let server = McpServer::new(served, Arc::new(runs.clone()))?;
    // Standard output is the protocol's, from the first byte to the last.
    line(&format!(
        "{DIM}Serving the tools of `{}` over MCP. The program that started this one talks to it; it ends with \
         its standard input.{END}",
        config.task.value.name
    ));
    serve_stdio(server, stop).await?;
    runs.close(SETTLING).await;
    Ok(Exit::Answered)
}

/// A command of the user's or the project's, as clients are offered it.
fn served(prompt: CallablePrompt) -> ServedPrompt {
    let parameters = prompt
        .parameters
        .iter()
        .map(|it| PromptParameter { name: it.name.clone(), is_required: it.is_required });
    ServedPrompt {
        name: prompt.name.clone(),
        description: prompt.description.clone(),
        parameters: parameters.collect(),
        expand: Arc::new(move |values| prompt.expand(&values)),
    }
}
