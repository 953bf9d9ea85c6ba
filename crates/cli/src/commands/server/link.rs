//! [`Link`]: what lets the first browser in, told only where nobody else reads it.

use std::io::IsTerminal;

use toolwright_app::{Config, config::LogFormat};
use toolwright_server::{AuthMode, Server};

use super::token_file;
use crate::error::Result;

/// What lets the first browser in, where there is somebody to tell.
pub(super) struct Link {
    /// None where nobody would follow it.
    link: Option<String>,
    is_told: bool,
    is_opened: bool,
}

impl Link {
    /// A link for whoever looks at the terminal, or has it opened. What a server prints is kept elsewhere and read by
    /// others (a container's log, say), and whoever follows a link may do everything for thirty days: there it is told
    /// only where programs of the same user are let in anyway, and the output is for people.
    pub(super) async fn make(server: &Server, config: &Config, is_opened: bool) -> Result<Self> {
        let is_own = config.server.auth.value == AuthMode::Local
            && config.telemetry.format.value != LogFormat::Json;
        let is_told = is_own || std::io::stdout().is_terminal();
        let link = match is_told || is_opened {
            true => Some(server.link().await?),
            false => None,
        };
        Ok(Self { link, is_told, is_opened })
    }

    /// Where the page is, as it is told.
    pub(super) fn shown<'a>(&'a self, server: &'a Server) -> &'a str {
        let told = self.link.as_deref().filter(|_| self.is_told);
        told.unwrap_or_else(|| server.page())
    }

    /// What a browser is to open.
    pub(super) fn to_open(&self) -> Option<&str> {
        self.link.as_deref().filter(|_| self.is_opened)
    }

    /// What is to be done where there is nothing to open it with. Where no link was told, there is none to follow.
    pub(super) fn unopened(&self, server: &Server, config: &Config) -> String {
        let how = match self.is_told {
            true => "open the link yourself".to_owned(),
            false => format!("make a link ({}), and open it", command(server, config)),
        };
        format!("There is no browser to open it with here: {how}, or name one in BROWSER.")
    }

    /// What it is good for, and how to have another.
    pub(super) fn describe(&self, server: &Server, config: &Config) -> String {
        let command = command(server, config);
        match self.is_told {
            true => format!(
                "The link lets one browser in, once, within ten minutes. For another: {command}"
            ),
            false => format!(
                "A link lets one browser in, once, within ten minutes. This makes one: {command}"
            ),
        }
    }
}

/// What makes a link, as it can be typed in a shell: nobody has to look for the token.
fn command(server: &Server, config: &Config) -> String {
    let token = match &config.server.token.value {
        Some(_) => "$TOOLWRIGHT_TOKEN".to_owned(),
        None => {
            let path = token_file(config).display().to_string().replace('\'', r"'\''");
            format!("$(cat '{path}')")
        }
    };
    server.link_command(&token)
}
