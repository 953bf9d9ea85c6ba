//! [`Conversing`]: one question of an application to the model, with the application's own tools.

use std::{collections::BTreeMap, sync::Arc};

use futures_util::StreamExt;
use toolwright_core::{
    Conversation, Message, Model, ModelDelta, ModelError, ModelOptions, ModelRequest,
    ModelResponse, OutputStrategy, RequestCache,
};

use toolwright_redact::Secrets;

use super::{fault::Fault, read::Asked, write};
use crate::{CONVERSATION, proto};

/// What answers, under the name of a component.
pub(super) struct Conversing {
    pub(super) component: String,
    pub(super) model: Arc<dyn Model>,
    pub(super) options: ModelOptions,
    pub(super) secrets: Secrets,
}

impl Conversing {
    /// The model's reply. Tools are called by the application and not here.
    pub(super) async fn converse(
        &self,
        request: proto::ConversationRequestAlpha2,
    ) -> Result<proto::ConversationResponseAlpha2, Fault> {
        if request.name != self.component {
            return Err(Fault::no_component(&request.name, &self.component));
        }
        let context_id = request.context_id.clone();
        let mut asked = Asked::read(request, &self.options)?;
        self.screen(&mut asked.conversation);
        let (messages, tools) = (asked.conversation.len(), asked.tools.specs().len());
        let output = asked.output.clone();
        let mut said = self.ask(asked).await.map_err(|error| self.unanswered(&error))?;
        self.clean(&mut said.text);
        said.calls.iter_mut().for_each(|call| self.clean(&mut call.arguments));
        tracing::info!(
            messages,
            tools,
            calls = said.calls.len(),
            "a Dapr application was answered"
        );
        Ok(write::response(said, self.model.name(), context_id, output.as_ref()))
    }

    /// Takes out what no model may see.
    fn screen(&self, conversation: &mut Conversation) {
        let is_in = |message: &Arc<Message>| {
            let of_calls = message.calls().iter().map(|call| call.arguments.as_str());
            of_calls.chain([message.content()]).any(|text| self.secrets.is_in(text))
        };
        if !conversation.messages().iter().any(is_in) {
            return;
        }
        let messages = conversation.messages().iter().map(|message| {
            let mut message = Message::clone(message);
            match &mut message {
                Message::System(text) => self.clean(text),
                Message::User(user) => self.clean(&mut user.content),
                Message::Assistant(said) => {
                    self.clean(&mut said.content);
                    said.calls.iter_mut().for_each(|call| self.clean(&mut call.arguments));
                }
                Message::Tool(result) => self.clean(&mut result.outcome.text),
            }
            message
        });
        *conversation = messages.collect();
    }

    fn clean(&self, text: &mut String) {
        if let Some((cleaned, _)) = self.secrets.clean(text) {
            *text = cleaned;
        }
    }

    async fn ask(&self, mut asked: Asked) -> Result<ModelResponse, ModelError> {
        let is_native = self.model.output_strategy() == OutputStrategy::Native;
        // Only a model that holds itself to a schema finds one in its requests: the others are told.
        if let Some(output) = asked.output.take_if(|_| !is_native) {
            asked.conversation.push(Message::correction(output.instruction()));
        }
        let mut memo = RequestCache::default();
        let request = ModelRequest::new(&asked.conversation, &asked.tools, &mut memo)
            .choice(asked.choice)
            .options(&asked.options)
            .output(asked.output.as_ref())
            .streamed();
        let mut parts = self.model.call(request);
        while let Some(part) = parts.next().await {
            if let ModelDelta::Response(response) = part? {
                return Ok(response);
            }
        }
        let kind = toolwright_core::ModelErrorKind::BrokenReply;
        Err(ModelError::new(kind, "the model's reply broke off"))
    }

    fn unanswered(&self, error: &ModelError) -> Fault {
        tracing::warn!(%error, "a Dapr application got no answer");
        let reason = match &error.advice {
            Some(advice) => format!("{error} (what to do: {advice})"),
            None => error.to_string(),
        };
        Fault::unanswered(&self.component, &reason)
    }

    /// What clients ask for first. No version of a Dapr runtime is claimed.
    pub(super) fn metadata(&self) -> proto::GetMetadataResponse {
        let component = proto::RegisteredComponents {
            name: self.component.clone(),
            r#type: format!("{CONVERSATION}toolwright"),
            version: "v1".to_owned(),
            capabilities: Vec::new(),
        };
        let version = ("toolwrightVersion".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        proto::GetMetadataResponse {
            id: "toolwright".to_owned(),
            registered_components: vec![component],
            extended_metadata: BTreeMap::from([version]),
            ..Default::default()
        }
    }
}
