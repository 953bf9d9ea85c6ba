//! A round's request once more, made by what makes requests.

use toolwright_core::{
    Conversation, Journal, ModelError, ModelOptions, ModelRequest, OutputSchema, RequestCache, Run,
    SentRequest, ToolChoice, ToolDefinitions,
};

use super::{attachments::Fitted, fallback::Current};
use crate::{Agent, output::Asking};

/// What a request is made of.
pub(super) struct Wanted<'a> {
    pub(super) conversation: &'a Conversation,
    pub(super) tools: &'a ToolDefinitions,
    pub(super) choice: ToolChoice,
    pub(super) options: &'a std::sync::Arc<ModelOptions>,
    pub(super) stream: bool,
    pub(super) output: Option<&'a OutputSchema>,
    pub(super) asking: Option<&'a Asking>,
}

impl<'a> Wanted<'a> {
    pub(super) fn request(self, memo: &'a mut RequestCache) -> ModelRequest<'a> {
        let (tools, choice) = match self.asking.and_then(Asking::tool) {
            Some(tool) => (tool, Asking::choice()),
            None => (self.tools, self.choice),
        };
        let native = self.output.filter(|_| self.asking.is_some_and(Asking::is_native));
        let request = ModelRequest::new(self.conversation, tools, memo).choice(choice);
        let mut request = request.options(self.options).output(native);
        request.stream = self.stream;
        request
    }
}

impl Agent {
    /// The model that a run asks, by name: the one it turned to, where it did.
    pub fn model_of(&self, run: &Run) -> &str {
        Current::of(run, &self.0).candidate(&self.0).model.name()
    }

    /// The request of the round that this run has begun, as it goes out: made once more from what is known of
    /// the run, with the tools and the settings of now. `offered` names the tools that it was offered, where
    /// those were not all. Nothing where its model is asked in no request.
    ///
    /// # Errors
    /// When something is attached that the model does not take, or that is gone.
    pub async fn sent_request(
        &self,
        run: &Run,
        choice: ToolChoice,
        offered: Option<&[String]>,
        attachments: Option<&dyn Journal>,
    ) -> Result<Option<SentRequest>, ModelError> {
        let settings = &*self.0;
        let toolbox = settings.toolbox.current().without(run.tools_off());
        let all = toolbox.definitions();
        let offered = offered.map(|names| {
            let named = |name: &String| all.specs().iter().find(|it| it.name == *name).cloned();
            toolbox.offer(names.iter().filter_map(named))
        });
        let current = Current::of(run, settings);
        let model = current.candidate(settings).model;
        let mut fitted = Fitted::default();
        let conversation = fitted.fit(run.conversation(), model, attachments).await?;
        let output = run.output_due();
        let asking = output.as_deref().map(|output| Asking::new(output, model));
        let wanted = Wanted {
            conversation: &conversation,
            tools: offered.as_ref().unwrap_or(all),
            choice: if output.is_some() { ToolChoice::None } else { choice },
            options: &current.options,
            stream: settings.stream,
            output: output.as_deref(),
            asking: asking.as_ref(),
        };
        Ok(model.sent(wanted.request(&mut RequestCache::default())))
    }
}
