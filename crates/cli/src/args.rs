//! [`Args`]: what can be typed.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Parser, Subcommand};
use toolwright_app::Flags;
use toolwright_dialects::Dialect;

use crate::{commands::Chunks, exit::Output};

/// Ask a model that can call tools, and watch it happen.
///
/// Without a configured model a small one in this process answers; it is fetched once. To connect
/// another, set OPENAI_API_BASE (any OpenAI-compatible server), OPENAI_API_KEY and
/// TOOLWRIGHT_MODEL; `toolwright doctor` checks them.
#[derive(Debug, Parser)]
#[command(name = "toolwright", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    /// None where it is one of a pack's.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  toolwright chat
  toolwright serve
  toolwright ask \"What's the weather in San Francisco and a 20% tip on $45.60?\"
  git diff | toolwright ask \"What does this change?\"
  toolwright ask --schema city.json \"Which city has the most bridges?\"
  toolwright ask --task trading \"What's the current price of NIFTY?\"
  toolwright chat --workspace .
  toolwright tasks new release-notes
  toolwright ask --task history \"What did I watch about cooking?\"
  toolwright ask --cassette weather.jsonl \"What's the weather in Rome?\"
  toolwright conversations search weather
  toolwright replay conv_okpg
  toolwright extract --tools tools.json < reply.txt
  toolwright tools call calculate_tip '{\"amount\": 45.6}'
  toolwright trust
  toolwright doctor";

#[derive(Debug, clap::Args)]
pub(crate) struct Global {
    /// Settings are read from this file [default: the user's, and ./toolwright.toml where
    /// it is trusted]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Data is kept in this folder
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// How much is logged: off, error, warn, info, debug, trace
    #[arg(long, global = true, value_name = "LEVEL")]
    log: Option<String>,
    /// Output for programs: JSON instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask one question: the answer goes to standard output, the steps to standard error
    Ask {
        #[command(flatten)]
        run: RunArgs,
        /// The answer is JSON that fits this JSON Schema, and nothing else is on standard output: a file, or
        /// the schema itself
        #[arg(long, value_name = "FILE|JSON", conflicts_with = "single_shot")]
        schema: Option<String>,
        /// The question; `-`, or nothing, reads it from standard input
        prompt: Vec<String>,
    },
    /// Talk in the terminal
    Chat {
        #[command(flatten)]
        run: RunArgs,
    },
    /// Let an editor drive runs, over the Agent Client Protocol at standard input and output
    Acp(AcpArgs),
    /// Serve the page and the API
    Serve {
        /// Where to listen [default: 127.0.0.1:8001]; port 0 takes any that is free
        #[arg(long, value_name = "ADDR")]
        addr: Option<String>,
        /// Who may come in without the token: local (programs of yours on this machine), token
        /// (nobody)
        #[arg(long, value_name = "HOW")]
        auth: Option<String>,
        /// Let destructive tools run without asking, except calls that need a review
        #[arg(long)]
        approve: bool,
        #[command(flatten)]
        dapr: DaprArgs,
        #[command(flatten)]
        run: ServeArgs,
    },
    /// See which browsers a server lets in, or sign them out
    Server {
        #[command(subcommand)]
        command: ServerCommand,
    },
    /// List, read, search, export, resume or delete what was kept
    #[command(visible_alias = "conv")]
    Conversations {
        #[command(subcommand)]
        command: ConversationsCommand,
    },
    /// Ask the questions of a conversation again, and show what is not as it was
    ///
    /// No tool is run: calls return what the log says they returned, and a call that it does not have is told
    /// so. What was recorded answers, which shows what became of your tools, guards and settings since; with
    /// --model that model does, which shows how it would have done. Nothing is kept. Ends with 0 where all is
    /// the same, with 1 where something is not.
    Replay(ReplayArgs),
    /// List what was approved with "always", or take it back
    Approvals {
        #[command(subcommand)]
        command: Option<ApprovalsCommand>,
    },
    /// List the tools, call one, or see how a model is told of them
    Tools {
        #[command(subcommand)]
        command: ToolsCommand,
    },
    /// Find the calls in the text of a model that only writes text
    Extract(ExtractArgs),
    /// List the tasks, show one, write one, or look for mistakes in them
    Tasks {
        #[command(subcommand)]
        command: Option<TasksCommand>,
    },
    /// Show what can answer, test and connect a model, or fetch the offline one
    Models {
        #[command(subcommand)]
        command: Option<ModelsCommand>,
    },
    /// Use the tools of MCP servers: add, look at and approve them; or serve the tools here to other programs
    Mcp {
        #[command(subcommand)]
        command: McpCommand,
    },
    /// Show what is configured, what answers, what is missing and how to fix it
    Doctor {
        #[command(flatten)]
        run: RunArgs,
    },
    /// Show what the toolwright.toml of a folder would change, and trust it
    Trust(TrustArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Which tools and instructions to use: the name of a task, or a file [see: toolwright tasks]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// The model: `PROVIDER:NAME` (see `toolwright models`), its name at OPENAI_API_BASE, `offline`,
    /// `offline:FILE` for weights of your own, `dapr:COMPONENT`; several with commas between them stand
    /// in for each other
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// How the model is offered its tools: native (in the request), text (in the prompt, for models
    /// that only write text), auto
    #[arg(long, value_name = "HOW")]
    tool_mode: Option<String>,
    /// The form of calls in text: hermes, llama3_json, generic, …; auto finds out
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// Rounds in which tools may be called
    #[arg(long, value_name = "N")]
    max_rounds: Option<u32>,
    /// How long one call of any tool may take, such as 30s
    #[arg(long, value_name = "TIME")]
    tool_timeout: Option<String>,
    /// Let destructive tools run without asking, but for calls that somebody has to look at
    #[arg(long)]
    pub(crate) approve: bool,
    /// Ask the model once: the results of its calls are the answer
    #[arg(long)]
    single_shot: bool,
    /// Hold answers against the tools' results: off, warn, enforce, replace
    #[arg(long, value_name = "HOW")]
    review: Option<String>,
    /// Go on with this conversation: its id, or enough of its beginning
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    /// Go on with the conversation in which something happened last
    #[arg(short = 'c', long = "continue", conflicts_with = "conversation")]
    pub(crate) is_continued: bool,
    /// How the model is to write, such as temperature=0.2 or max_output_tokens=500; may be given several
    /// times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Attach a picture, a PDF or another file, or what an MCP server has (mcp:SERVER:URI); may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) attach: Vec<std::path::PathBuf>,
    #[command(flatten)]
    tape: CassetteArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AcpArgs {
    /// Which tools and instructions to begin with: the name of a task, or a file [see: toolwright tasks]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// The model: `PROVIDER:NAME` (see `toolwright models`), its name at OPENAI_API_BASE, `offline`;
    /// several with commas between them stand in for each other
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CassetteArgs {
    /// Record what the model says to this file; where it is there already, the recording answers and no
    /// model is asked
    #[arg(long, value_name = "FILE")]
    cassette: Option<PathBuf>,
    /// What is done with that file: replay (a request that was not recorded is an error that says what
    /// differs), record (anew), missing (replay, and record what is not there)
    #[arg(long, value_name = "HOW", requires = "cassette")]
    cassette_mode: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// The conversation: its id, or enough of its beginning
    pub(crate) conversation: String,
    /// Let this model answer instead of what was recorded
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Which tools and instructions to use: those of the task it was asked in [see: toolwright tasks]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Which tools and instructions to use where a question does not say: the name of a task, or a
    /// file [see: toolwright tasks]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// The model: `PROVIDER:NAME` (see `toolwright models`), its name at OPENAI_API_BASE, `offline`,
    /// `offline:FILE` for weights of your own, `dapr:COMPONENT`; several with commas between them stand
    /// in for each other
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// How the model is to write, such as temperature=0.2; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    tape: CassetteArgs,
}

/// Where applications find Toolwright that look for a Dapr sidecar.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct DaprArgs {
    /// Answer applications in the place of a Dapr sidecar: conversation calls over gRPC, such as
    /// 127.0.0.1:50001
    #[arg(long = "dapr-grpc", value_name = "ADDR", value_parser = address)]
    pub(crate) grpc: Option<SocketAddr>,
    /// The same over HTTP, and the health checks that clients begin with, such as 127.0.0.1:3500
    #[arg(long = "dapr-http", value_name = "ADDR", value_parser = address)]
    pub(crate) http: Option<SocketAddr>,
    /// What the conversation component is called that answers them [default: toolwright]
    #[arg(long = "dapr-component", value_name = "NAME")]
    pub(crate) component: Option<String>,
}

/// An address and a port.
fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let text = text.trim();
    let text = text
        .strip_prefix("localhost:")
        .map_or_else(|| text.to_owned(), |port| format!("127.0.0.1:{port}"));
    text.parse().map_err(|_| "use an address and a port, such as 127.0.0.1:50001")
}

/// `NAME=VALUE`.
fn option(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

#[derive(Debug, Subcommand)]
pub(crate) enum ServerCommand {
    /// List the browsers that were let in, or sign them out; a running server notices
    Sessions {
        #[command(subcommand)]
        command: Option<SessionsCommand>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List them, each with its id
    List,
    /// Sign a browser out: it needs a new link
    Revoke {
        /// Its id in the list
        #[arg(required_unless_present = "all")]
        id: Option<String>,
        /// All of them
        #[arg(long, conflicts_with = "id")]
        all: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConversationsCommand {
    /// List conversations, the newest first
    List {
        /// How many
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: usize,
    },
    /// Show a conversation as it was asked last; with --json its events
    Show {
        /// Its id, or enough of its beginning
        id: String,
        /// Show the version with this run in it, as `tree` lists them
        #[arg(long, value_name = "RUN")]
        branch: Option<String>,
    },
    /// Show which questions of a conversation were asked anew, and what follows which
    Tree {
        /// Its id, or enough of its beginning
        id: String,
    },
    /// Find conversations in which all of these words occur
    Search {
        /// The words
        #[arg(required = true)]
        words: Vec<String>,
        /// How many
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: usize,
    },
    /// Write conversations to standard output, one event a line
    Export {
        /// Their ids; all conversations where none is given
        ids: Vec<String>,
        /// Only what leads to the version with this run in it, of one conversation
        #[arg(long, value_name = "RUN", conflicts_with = "cassette")]
        branch: Option<String>,
        /// As a text to read, one version of each: the newest, or the one of --branch
        #[arg(long, conflicts_with = "cassette")]
        markdown: bool,
        /// Write what the model was sent and what it said to this file instead, for `ask --cassette`
        #[arg(long, value_name = "FILE")]
        cassette: Option<PathBuf>,
    },
    /// Read what `export` wrote. Approvals in it do not count here
    Import {
        /// The file; `-` reads standard input
        file: PathBuf,
    },
    /// Go on with a run that was cut short
    Resume {
        /// The conversation: its id, or enough of its beginning
        id: String,
        /// How the model is to write, such as temperature=0.2; may be given several times
        #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
        options: Vec<(String, String)>,
        /// Let destructive tools run without asking, but for calls that somebody has to look at
        #[arg(long)]
        approve: bool,
    },
    /// Delete a conversation and every trace of it
    Delete {
        /// Its id, or enough of its beginning
        id: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ApprovalsCommand {
    /// List them, each with its number
    List,
    /// Take one back
    Remove {
        /// Its number in the list
        number: usize,
    },
    /// Take all of them back
    Clear,
}

/// A model that is to be connected.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelsAddArgs {
    /// The provider: one that is known by name, or any other name with --base-url
    pub(crate) provider: String,
    /// The model there that answers from now on
    #[arg(long = "name", value_name = "NAME")]
    pub(crate) model: String,
    /// The root of its API, where it is not the vendor's own
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// What it speaks: chat, responses, messages, gemini or ollama
    #[arg(long, value_name = "API")]
    pub(crate) api: Option<String>,
    /// Read the key from standard input, a line; it is written to the config file
    #[arg(long)]
    pub(crate) key_stdin: bool,
    /// Save it although it does not answer
    #[arg(long)]
    pub(crate) untested: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List what can answer, as `toolwright models` does
    List,
    /// Ask a model for one word and for one call, and say what happened
    Test {
        /// The model, as --model takes it; the one that answers where none is named
        name: Option<String>,
    },
    /// Test a model, and have it answer from now on: it is written to the config file
    Add(ModelsAddArgs),
    /// Fetch the offline model (93 MB), and the one that finds tools for it (24 MB)
    Pull {
        /// Which
        #[arg(value_parser = ["offline"])]
        model: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ToolsCommand {
    /// List the tools; with --json in OpenAI's format
    List {
        /// Only the tools of this task
        #[arg(long, value_name = "TASK")]
        task: Option<String>,
    },
    /// Call one tool and print its result; with --json as an envelope
    Call {
        /// The tool
        name: String,
        /// Its arguments, as JSON
        #[arg(default_value = "{}", value_name = "JSON")]
        arguments: String,
        /// Only the tools of this task
        #[arg(long, value_name = "TASK")]
        task: Option<String>,
        /// Let a destructive tool run; a command that only looks needs no approval
        #[arg(long)]
        approve: bool,
    },
    /// Show what a source of tools offers and what changed, and approve it: an MCP server, an API
    Approve {
        /// The source, as the config file names it
        name: String,
        /// Approve without asking
        #[arg(long)]
        yes: bool,
    },
    /// Print what a model that only writes text is told about the tools
    Prompt {
        /// Only the tools of this task
        #[arg(long, value_name = "TASK")]
        task: Option<String>,
        /// The form it is told to write calls in [default: as for `ask`]
        #[arg(long, value_name = "NAME")]
        dialect: Option<String>,
    },
}

#[cfg_attr(not(feature = "mcp"), allow(dead_code))]
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// List the MCP servers, and whether they answer
    List,
    /// Add a server, try it, and approve its tools
    Add(McpAddArgs),
    /// Remove a server, and what was approved of it
    Remove {
        /// Its name
        name: String,
    },
    /// Show a server's tools, what changed about them since they were approved, and what else it has
    Inspect {
        /// Its name
        name: String,
    },
    /// Show a server's tools, and approve them as they are
    Approve {
        /// Its name
        name: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Log in to a server at an address that wants to know who asks
    Login(McpLoginArgs),
    /// Log out of a server: forget its tokens
    Logout {
        /// Its name
        name: String,
    },
    /// Take over servers from another program
    Import {
        /// A file (`.mcp.json`, `mcp.json`, …), or: claude, codex, cursor, gemini, goose, opencode, vscode, windsurf, zed
        #[arg(value_name = "FILE|PROGRAM")]
        from: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Serve the tools of a task over standard input and output, to the program that starts this one
    Serve(McpServeArgs),
}

#[cfg_attr(not(feature = "mcp"), allow(dead_code))]
#[derive(Debug, clap::Args)]
pub(crate) struct McpLoginArgs {
    /// Its name
    pub(crate) name: String,
    /// Only print the address to open
    #[arg(long)]
    pub(crate) no_browser: bool,
}

#[cfg_attr(not(feature = "mcp"), allow(dead_code))]
#[derive(Debug, clap::Args)]
pub(crate) struct McpAddArgs {
    /// What it is called here: the beginning of the names of its tools
    pub(crate) name: String,
    /// The address of a server
    #[arg(long, conflicts_with = "command")]
    pub(crate) url: Option<String>,
    /// A variable for the program, such as TOKEN='${GITHUB_TOKEN}'; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    pub(crate) env: Vec<(String, String)>,
    /// The folder that the program starts in
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<String>,
    /// A header for the address; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    pub(crate) header: Vec<(String, String)>,
    /// The variable that holds the token for the address
    #[arg(long, value_name = "NAME")]
    pub(crate) bearer_token_env: Option<String>,
    /// Let the program use the network
    #[arg(long)]
    pub(crate) network: bool,
    /// Let the program read this folder; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) read: Vec<String>,
    /// Let the program write to this folder; may be given several times
    #[arg(long, value_name = "DIR")]
    pub(crate) write: Vec<String>,
    /// Start the program without a sandbox
    #[arg(long, conflicts_with_all = ["network", "read", "write"])]
    pub(crate) no_sandbox: bool,
    /// Approve its tools without asking
    #[arg(long)]
    pub(crate) yes: bool,
    /// The program and its arguments, behind `--`
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct McpServeArgs {
    /// Which tools: the name of a task, or a file [see: toolwright tasks]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// How long one call of any tool may take, such as 30s
    #[arg(long, value_name = "TIME")]
    tool_timeout: Option<String>,
    /// Let destructive tools run without asking, but for calls that somebody has to look at
    #[arg(long)]
    pub(crate) approve: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TasksCommand {
    /// List them, and who wrote each
    List,
    /// Show the file of one
    Show {
        /// Its name
        name: String,
        /// Show what a model is told instead: the prompt, filled in
        #[arg(long)]
        prompt: bool,
    },
    /// Write a file to begin with
    New {
        /// The task's name: small letters, digits, `-` and `_`
        name: String,
        /// For everybody who works in this folder, in .toolwright/tasks
        #[arg(long)]
        project: bool,
    },
    /// Look for mistakes
    Check {
        /// Names or files; all tasks where none is given
        tasks: Vec<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExtractArgs {
    /// The tools the model was offered: a list in OpenAI's form
    #[arg(long, value_name = "FILE", required_unless_present = "cases")]
    pub(crate) tools: Option<PathBuf>,
    /// The form the calls are written in: a dialect, or `auto` to find out [default: auto, or the
    /// case's own]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<Dialect>,
    /// Feed the text in pieces of N characters, or of random sizes: N or random:SEED
    #[arg(long, value_name = "N")]
    pub(crate) chunks: Option<Chunks>,
    /// Run the cases in this file, one a line, and tell which do not give what they expect; with
    /// --json what each gives
    #[arg(long, value_name = "FILE", conflicts_with = "tools")]
    pub(crate) cases: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TrustArgs {
    /// The folder [default: the current one]
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// List the folders you were asked about
    #[arg(long, conflicts_with_all = ["revoke", "folder"])]
    pub(crate) list: bool,
    /// Do not trust it any more
    #[arg(long)]
    pub(crate) revoke: bool,
    /// Show everything it says, to the last line, and ask nothing
    #[arg(long, conflicts_with_all = ["revoke", "list"])]
    pub(crate) show: bool,
}

impl Global {
    fn flags(&self) -> Flags {
        Flags {
            config: self.config.clone(),
            data: self.data.clone(),
            log: self.log.clone(),
            ..Flags::default()
        }
    }
}

impl Args {
    /// Who reads what the command writes.
    pub(crate) fn output(&self) -> Output {
        let runs = matches!(
            self.command,
            Some(
                Command::Ask { .. }
                    | Command::Conversations { command: ConversationsCommand::Resume { .. } }
            )
        );
        if runs && self.global.json { Output::Events } else { Output::Other }
    }

    /// What was given that overrides other settings.
    pub(crate) fn flags(&self) -> Flags {
        let flags = self.global.flags();
        let Some(command) = &self.command else { return flags };
        match command {
            Command::Ask { run, .. } | Command::Chat { run } | Command::Doctor { run } => Flags {
                task: run.task.clone(),
                model: run.model.clone(),
                tool_mode: run.tool_mode.clone(),
                dialect: run.dialect.clone(),
                options: run.options.clone(),
                rounds: run.max_rounds,
                tool_timeout: run.tool_timeout.clone(),
                single_shot: run.single_shot,
                review: run.review.clone(),
                cassette: run.tape.cassette.clone(),
                cassette_mode: run.tape.cassette_mode.clone(),
                ..flags
            },
            Command::Serve { addr, auth, run, .. } => Flags {
                addr: addr.clone(),
                auth: auth.clone(),
                task: run.task.clone(),
                model: run.model.clone(),
                options: run.options.clone(),
                cassette: run.tape.cassette.clone(),
                cassette_mode: run.tape.cassette_mode.clone(),
                ..flags
            },
            Command::Acp(args) => {
                Flags { task: args.task.clone(), model: args.model.clone(), ..flags }
            }
            Command::Replay(args) => {
                Flags { task: args.task.clone(), model: args.model.clone(), ..flags }
            }
            Command::Tools { command } => {
                let (task, dialect) = match command {
                    ToolsCommand::List { task } | ToolsCommand::Call { task, .. } => {
                        (task.clone(), None)
                    }
                    ToolsCommand::Prompt { task, dialect, .. } => (task.clone(), dialect.clone()),
                    ToolsCommand::Approve { .. } => (None, None),
                };
                Flags { task, dialect, ..flags }
            }
            Command::Conversations { command: ConversationsCommand::Resume { options, .. } } => {
                Flags { options: options.clone(), ..flags }
            }
            Command::Mcp { command: McpCommand::Serve(args) } => {
                Flags { task: args.task.clone(), tool_timeout: args.tool_timeout.clone(), ..flags }
            }
            Command::Approvals { .. }
            | Command::Conversations { .. }
            | Command::Extract(_)
            | Command::Mcp { .. }
            | Command::Models { .. }
            | Command::Server { .. }
            | Command::Tasks { .. }
            | Command::Trust(_)
            | Command::Completions { .. } => flags,
        }
    }
}
