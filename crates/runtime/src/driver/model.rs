//! Asking the model: what it is offered, what it is sent, what it replies.

use futures_util::StreamExt;
use toolwright_core::{
    ModelDelta, ModelError, ModelErrorKind, ModelResponse, OutputSchema, RequestCache, Run,
    ToolChoice, ToolDefinitions, UnavailableTool,
};
use tracing::Instrument;

use super::{Driver, attachments, now, sent::Wanted, spans};
use crate::output::Asking;

/// The tools the model is offered, when that is not all of them.
pub(super) struct Offer {
    chosen: Vec<usize>,
    withheld: Vec<UnavailableTool>,
    definitions: ToolDefinitions,
}

impl Driver {
    pub(super) async fn call_model(&mut self, choice: ToolChoice) {
        self.stop_where_exhausted().await;
        if self.run.is_ended() {
            return;
        }
        self.pass_over();
        self.take_messages().await;
        self.compact_as_wished();
        self.compact_at_threshold();
        self.choose_tools().await;
        if self.settings.toolbox.definitions().is_empty() {
            self.report(Run::no_tools);
        }
        if self.run.round() == 0 {
            for message in attachments::cut_texts(self.run.conversation()) {
                self.report(|run, at| run.noticed(message, at));
            }
        }
        self.report(Run::model_called);
        let (run, round, of) = (self.run.id(), self.run.round(), self.run.limits().rounds);
        // Behind the last round with tools there is one to answer in.
        if round > of {
            tracing::info!(%run, "[agentic_loop] Answering, after {of}/{of}");
        } else {
            tracing::info!(%run, "[agentic_loop] Iteration {round}/{of}");
        }
        self.persist().await;
        failpoint!("user_saved");
        if self.run.is_ended() {
            return;
        }
        // It may have been asked for just now.
        let output = self.run.output_due();
        let choice = if output.is_some() { ToolChoice::None } else { choice };
        if !matches!(
            self.run.conversation().messages().last().map(|message| message.role()),
            Some("user" | "tool")
        ) {
            let error = ModelError::new(ModelErrorKind::Request, "there is nothing to answer")
                .with_advice("end the messages with a question of the user's");
            return self.report(|run, at| run.model_failed(error, at));
        }
        let result = self.ask(choice, output.as_deref()).await;
        failpoint!("llm_end");
        if self.run.is_ended() {
            return;
        }
        match result {
            Ok(reply) => {
                let size = self.run.conversation().size();
                self.measured = Some((reply.usage.prompt_tokens, size));
                self.replied(reply).await;
            }
            Err(error) => self.report(|run, at| run.model_failed(error, at)),
        }
    }

    /// One request and its reply, the pieces being handed on as they arrive.
    pub(super) async fn exchange(
        &mut self,
        choice: ToolChoice,
        output: Option<&OutputSchema>,
    ) -> Result<ModelResponse, ModelError> {
        let settings = self.settings.clone();
        let all = settings.toolbox.definitions();
        let tools = self.offer.as_ref().map_or(all, |offer| &offer.definitions);
        let model = self.current.candidate(&settings).model;
        let journal = self.commit.kept_in();
        let fitted = &mut self.fitted;
        let fitted = fitted.fit(self.run.conversation(), model, journal.as_deref());
        let conversation = fitted.await?;
        let asking = output.map(|output| Asking::new(output, model));
        let wanted = Wanted {
            conversation: &conversation,
            tools,
            choice,
            options: &self.current.options,
            stream: settings.stream,
            output,
            asking: asking.as_ref(),
        };
        let request = wanted.request(&mut self.memo);
        let span = spans::chat(&self.run, model.name(), settings.stream);
        let mut parts = span.in_scope(|| model.call(request));
        failpoint!("llm_sent");
        let reply = self.read(&mut parts, asking.as_ref()).instrument(span.clone()).await;
        spans::replied(&span, &reply);
        reply
    }

    async fn read(
        &mut self,
        parts: &mut toolwright_core::ModelStream,
        asking: Option<&Asking>,
    ) -> Result<ModelResponse, ModelError> {
        let screen = self.screen.clone();
        let mut screened = screen.parts();
        loop {
            let part = match (parts.next().await, asking) {
                (Some(Ok(part)), Some(asking)) => Some(Ok(asking.heard(part))),
                (part, _) => part,
            };
            match part {
                Some(Ok(ModelDelta::Response(reply))) => {
                    for part in screened.rest() {
                        self.hear_part(part).await;
                    }
                    return Ok(screen.reply(reply));
                }
                Some(Ok(part)) => {
                    if let Some(part) = screened.take(part) {
                        self.hear_part(part).await;
                    }
                }
                Some(Err(error)) => return Err(screen.model_error(error)),
                None => {
                    let message = "the model's reply ended before it was complete";
                    return Err(ModelError::new(ModelErrorKind::BrokenReply, message)
                        .with_advice("ask again"));
                }
            }
        }
    }

    async fn hear_part(&mut self, part: ModelDelta) {
        let Some(event) = self.run.model_part(part, now()) else { return };
        if event.kind.is_provisional() {
            self.commit.show(event);
        } else {
            self.commit.add(vec![event]);
            self.persist().await;
        }
        failpoint!("first_delta");
        self.commit.outbox().taken().await;
    }

    /// Chooses what the model is offered: not the tools that are out of order, and of very many
    /// only those worth offering. An offer that did not change is not made again.
    async fn choose_tools(&mut self) {
        let settings = self.settings.clone();
        let toolbox = &settings.toolbox;
        let withheld = toolbox.unavailable_tools(&self.context);
        let kept = self.offer.as_ref().map_or(&[][..], |offer| &offer.chosen);
        let chosen = toolbox.choose(self.run.conversation(), kept).await;
        if withheld.is_empty() && chosen.is_none() && self.offer.is_none() {
            return;
        }
        let specs = toolbox.definitions().specs();
        let chosen = chosen.unwrap_or_else(|| (0..specs.len()).collect());
        let is_same = |offer: &Offer| {
            // How long a tool is still off changes by the second, and is no news.
            let same = |(a, b): (&UnavailableTool, &UnavailableTool)| a.tool == b.tool;
            offer.chosen == chosen
                && offer.withheld.len() == withheld.len()
                && offer.withheld.iter().zip(&withheld).all(same)
        };
        if self.offer.as_ref().is_some_and(is_same) {
            return;
        }
        let offered: Vec<_> = chosen
            .iter()
            .filter_map(|at| specs.get(*at))
            .filter(|spec| !withheld.iter().any(|it| it.tool == spec.name))
            .cloned()
            .collect();
        let names = offered.iter().map(|spec| spec.name.clone()).collect();
        let before = self.offer.take().map(|offer| offer.withheld).unwrap_or_default();
        let is_new = |it: &&UnavailableTool| !before.iter().any(|known| known.tool == it.tool);
        let news = withheld.iter().filter(is_new).cloned().collect();
        self.report(|run, at| run.tools_offered(names, specs.len(), news, at));
        let definitions = toolbox.offer(offered);
        self.offer = Some(Offer { chosen, withheld, definitions });
    }

    /// Replaces the older part of a conversation that nears the end of the model's window.
    pub(super) fn compact_at_threshold(&mut self) {
        let size = self.run.conversation().size();
        let tokens = match self.measured {
            // The provider has counted; what is new is estimated by what it counted.
            Some((tokens, then)) if tokens > 0 && then > 0 => {
                size as f64 * (tokens as f64 / then as f64)
            }
            _ => toolwright_core::tokens(size) as f64,
        };
        if tokens > self.window().threshold() {
            self.compact();
        }
    }

    /// Replaces the older part before the first request, where that is wished for. Where there is nothing to
    /// gain, that is told.
    fn compact_as_wished(&mut self) {
        if self.settings.compact_first && self.run.round() == 0 && !self.compact() {
            let message = "the conversation is too short to be compacted".to_owned();
            self.report(|run, at| run.noticed(message, at));
        }
    }

    /// Whether there was anything to gain.
    pub(super) fn compact(&mut self) -> bool {
        let conversation = self.run.conversation();
        let keep = self.window().keep(conversation.size());
        let specs = self.settings.toolbox.definitions().specs();
        let is_lasting = |tool: &str| specs.iter().any(|it| it.lasting && it.name == tool);
        let Some(digest) = conversation.digest_keeping(keep, &is_lasting) else { return false };
        tracing::info!(run = %self.run.id(), messages = digest.replaced, "[context] compacted");
        self.report(|run, at| run.compacted(digest, at));
        // What was encoded begins with messages that are gone.
        self.memo = RequestCache::default();
        self.measured = None;
        true
    }
}
