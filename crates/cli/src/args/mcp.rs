//! [`McpCommand`]: what `mcp` takes.

use clap::Subcommand;
use toolwright_app::Flags;

use super::run::option;

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

#[cfg_attr(not(feature = "mcp"), allow(dead_code))]
#[derive(Debug, clap::Args)]
pub(crate) struct McpLoginArgs {
    /// Its name
    pub(crate) name: String,
    /// Only print the address to open
    #[arg(long)]
    pub(crate) no_browser: bool,
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

impl McpServeArgs {
    /// These flags, with what was given here.
    pub(super) fn apply(&self, flags: Flags) -> Flags {
        Flags { task: self.task.clone(), tool_timeout: self.tool_timeout.clone(), ..flags }
    }
}
