//! The commands that are about the conversation: what is asked again, what goes with it, where it goes.

use std::path::PathBuf;

use toolwright_core::{EventKind, UserMessage, revealed, truncate_line};
use toolwright_runtime::new_conversation_id;

use super::{Chat, Next, clipboard, export, picker, table};
use crate::{
    commands::{
        again,
        attaching::{of_server, typed_path},
        conversations::each_event,
        slash,
    },
    error::{CommandError, Result},
    screen::{Thinking, width},
    style::{DIM, END, WARN, line, tame},
};

impl Chat {
    /// `/retry`
    pub(super) async fn retry(&mut self, _: &str) -> Result<Next> {
        let session = self.asking();
        let started = again::retry(&session, &self.id, self.app.context.clone()).await?;
        Ok(Next::Run(Box::new(started)))
    }

    /// `/edit [TEXT]`
    pub(super) async fn edit(&mut self, text: &str) -> Result<Next> {
        if text.is_empty() {
            let asked = again::last_question(&self.app.session, &self.id).await?;
            let says = "The next line is asked in the place of this; an empty one leaves it:";
            line(&format!("{DIM}{says}{END} {}", asked.content));
            self.draft.clone_from(&asked.content);
            self.editing = Some(asked.content);
            return Ok(Next::Line);
        }
        let (session, context) = (self.asking(), self.app.context.clone());
        let project = &self.app.project;
        let started = again::edit(&session, &self.id, project, text.to_owned(), context).await?;
        Ok(Next::Run(Box::new(started)))
    }

    /// `/fork [N]`
    pub(super) async fn fork(&mut self, number: &str) -> Result<Next> {
        self.id = again::fork(&self.app.session, &self.id, number).await?;
        self.last = Some(self.id.clone());
        Ok(Next::Line)
    }

    /// `/next TEXT`
    pub(super) async fn next(&mut self, text: &str) -> Result<Next> {
        if text.is_empty() {
            return Err(CommandError::unusable("/next takes a question").into());
        }
        // Nothing goes on: it is the next.
        self.ask(UserMessage::new(text)).await
    }

    /// `/attach FILE`
    pub(super) async fn attach(&mut self, what: &str) -> Result<Next> {
        if what.is_empty() {
            let error = CommandError::unusable("/attach takes a file, or mcp:SERVER:URI");
            return Err(error.with_advice("Tab completes its name").into());
        }
        if !what.starts_with("mcp:") {
            self.attach_file(&typed_path(what));
            return Ok(Next::Line);
        }
        for it in of_server(&self.app.project, what).await? {
            line(&format!("{DIM}{} goes with the next question.{END}", it.describe()));
            self.attached.push(it);
        }
        Ok(Next::Line)
    }

    /// `/new`
    pub(super) async fn new_conversation(&mut self, _: &str) -> Result<Next> {
        self.id = new_conversation_id();
        self.attached.clear();
        self.forget();
        line(&format!("{DIM}A new conversation.{END}"));
        Ok(Next::Line)
    }

    /// `/conversations [N|ID|WORDS]`
    pub(super) async fn conversations(&mut self, which: &str) -> Result<Next> {
        let chosen = match which {
            "" => picker::pick(self.store()).await?,
            which => Some(picker::named(self.store(), which).await?),
        };
        if let Some(id) = chosen {
            self.go_on_with(id).await?;
        }
        Ok(Next::Line)
    }

    /// Goes on with another conversation, and says where it stands.
    pub(super) async fn go_on_with(&mut self, id: toolwright_core::ConversationId) -> Result {
        let found = self.store().find(id.as_str()).await?;
        let title = tame(&found.title);
        line(&format!("{DIM}Going on with {id} ({} messages):{END} {title}", found.messages));
        if let Some(answer) = &found.last_answer {
            line(&format!("{DIM}{}{END}", truncate_line(answer, 300)));
        }
        let waiting = self.store().queued(&id).await?.len();
        if waiting > 0 {
            let says = format!("{waiting} said there before and not taken up");
            line(&format!("{WARN}{says}: asked with the next question. /status lists them.{END}"));
        }
        (self.id, self.last) = (id.clone(), Some(id));
        self.forget();
        Ok(())
    }

    /// Forgets what was said about the conversation before.
    fn forget(&mut self) {
        self.thought.clear();
        self.compacts = false;
    }

    /// `/thinking [on|off]`
    pub(super) async fn thinking(&mut self, how: &str) -> Result<Next> {
        match how {
            "on" => self.thinking = Thinking::Shown,
            "off" => self.thinking = Thinking::CountedWithHint,
            "" if self.thought.trim().is_empty() => {
                line(&format!("{DIM}The model has not thought aloud here.{END}"));
                return Ok(Next::Line);
            }
            "" => {
                for it in self.thought.trim().lines() {
                    line(&format!("{DIM}│ {it}{END}"));
                }
                return Ok(Next::Line);
            }
            _ => return Err(CommandError::unusable("/thinking takes on, off or nothing").into()),
        }
        let told = match self.thinking {
            Thinking::Shown => "What the model thinks is shown as it comes.",
            _ => "What the model thinks is counted; /thinking shows it.",
        };
        line(&format!("{DIM}{told}{END}"));
        Ok(Next::Line)
    }

    /// `/copy`
    pub(super) async fn copy(&mut self, _: &str) -> Result<Next> {
        let answer = self.last_answer().await?;
        let how = clipboard::copy(&answer)?;
        let letters = answer.chars().count();
        line(&format!("{DIM}The last answer ({letters} letters) is copied {how}.{END}"));
        Ok(Next::Line)
    }

    async fn last_answer(&self) -> Result<String> {
        let mut answer = None;
        if self.is_begun().await? {
            let newest = self.store().runs(&self.id).await?.newest();
            let read = each_event(self.store(), &self.id, |event| {
                if let EventKind::Done(done) = &event.kind
                    && newest.has(event)
                {
                    answer = Some(done.response.clone());
                }
                Ok(())
            });
            read.await??;
        }
        Ok(answer.ok_or_else(|| CommandError::unusable("nothing was answered here yet"))?)
    }

    /// `/export [FILE]`
    pub(super) async fn export(&mut self, file: &str) -> Result<Next> {
        if !self.is_begun().await? {
            return Err(CommandError::unusable("nothing was asked here yet").into());
        }
        let file = match file {
            "" => PathBuf::from(format!("{}.md", self.id)),
            file => typed_path(file),
        };
        export::write(self.store(), &self.id, &file).await?;
        line(&format!("{DIM}Written to {}.{END}", tame(&file.display().to_string())));
        Ok(Next::Line)
    }

    /// `/approvals [remove N]`
    pub(super) async fn approvals(&mut self, what: &str) -> Result<Next> {
        let number = match table::split(what) {
            ("", _) => {
                self.list_approvals().await?;
                return Ok(Next::Line);
            }
            ("remove", number) => number.parse().ok(),
            _ => None,
        };
        let removed = match number {
            Some(number) => self.approvals.take_back(number).await?,
            None => None,
        };
        let Some(rule) = removed else {
            let error = CommandError::unusable("/approvals remove takes a number of the list");
            return Err(error.with_advice("/approvals shows it").into());
        };
        line(&format!("{DIM}Taken back:{END} {}", revealed(&rule.to_string())));
        Ok(Next::Line)
    }

    async fn list_approvals(&self) -> Result {
        let rules = self.approvals.given().await?;
        if rules.is_empty() {
            line(&format!("{DIM}Nothing is approved for good.{END}"));
        }
        for rule in &rules {
            line(&format!("{:>3}  {}", rule.number, revealed(&rule.to_string())));
        }
        Ok(())
    }

    /// `/help`
    pub(super) async fn help(&mut self, _: &str) -> Result<Next> {
        line(
            "Type a question and press Enter. A line that ends in \\ goes on in the next, @FILE goes with it.",
        );
        table::help(width()).lines().for_each(line);
        line(
            "While an answer comes, type on: Enter says it to the run. Ctrl-C stops it, twice leaves.",
        );
        slash::list_commands(&self.app.project).await;
        if self.attached.is_empty() {
            return Ok(Next::Line);
        }
        line(&format!("{WARN}{} attached to the next question.{END}", self.attached.len()));
        Ok(Next::Line)
    }

    /// `/quit`
    pub(super) async fn quit(&mut self, _: &str) -> Result<Next> {
        Ok(Next::Leave)
    }
}
