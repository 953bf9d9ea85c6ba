//! [`Fitted`]: a conversation as its model can read it.
//!
//! A model that takes pictures gets them; to one that does not, a text file is text, and of anything else it
//! is told that it is there. Nothing is left out without a word, and no bytes become letters in a prompt.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use toolwright_core::{
    Attachment, AttachmentKind, ContentPart, Conversation, Digest, END_OF_FILE, Journal, Message,
    Model, ModelError, ModelErrorKind, ToolMessage, UserMessage,
};

/// What was made of messages so far: what goes to a model again is the same again.
#[derive(Default)]
pub(super) struct Fitted {
    made: HashMap<usize, (Arc<Message>, Arc<Message>)>,
    /// The bytes that were fetched: each once, however often it is attached.
    fetched: HashMap<Digest, Attachment>,
}

impl Fitted {
    /// The conversation as this model can read it, with the bytes of what it is to see.
    ///
    /// # Errors
    /// When the question has something attached that the model does not take, or that is gone.
    pub(super) async fn fit<'a>(
        &mut self,
        conversation: &'a Conversation,
        model: &dyn Model,
        journal: Option<&dyn Journal>,
    ) -> Result<Cow<'a, Conversation>, ModelError> {
        let messages = conversation.messages();
        if messages.iter().all(|it| it.attachments().is_empty()) {
            return Ok(Cow::Borrowed(conversation));
        }
        let question = messages.iter().rposition(|it| matches!(&**it, Message::User(_)));
        let mut fitted = Conversation::new();
        let mut is_changed = false;
        for (number, message) in messages.iter().enumerate() {
            let is_asked = Some(number) == question;
            let made = match message.attachments().is_empty() {
                true => message.clone(),
                false => self.message(message, is_asked, model, journal).await?,
            };
            is_changed |= !Arc::ptr_eq(&made, message);
            fitted.push(made);
        }
        Ok(if is_changed { Cow::Owned(fitted) } else { Cow::Borrowed(conversation) })
    }

    /// Another model reads it from here on. What was fetched is there for that one, too.
    pub(super) fn forget(&mut self) {
        self.made.clear();
    }

    async fn message(
        &mut self,
        message: &Arc<Message>,
        is_asked: bool,
        model: &dyn Model,
        journal: Option<&dyn Journal>,
    ) -> Result<Arc<Message>, ModelError> {
        let key = Arc::as_ptr(message) as usize;
        if let Some((_, made)) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let mut has_all = true;
        for attachment in message.attachments() {
            let is_taken = model.accepts(attachment);
            if !is_taken && attachment.kind() != AttachmentKind::Text {
                has_all = false;
                if is_asked {
                    return Err(refused(model, attachment));
                }
                continue;
            }
            if !self.fetch(attachment, journal).await? {
                has_all = false;
                if is_asked {
                    return Err(gone(attachment));
                }
            }
            has_all &= is_taken;
        }
        let made = match has_all {
            true => message.clone(),
            false => Arc::new(told(message, model)),
        };
        self.made.insert(key, (message.clone(), made.clone()));
        Ok(made)
    }

    /// Whether the bytes of an attachment are there now.
    async fn fetch(
        &mut self,
        attachment: &Attachment,
        journal: Option<&dyn Journal>,
    ) -> Result<bool, ModelError> {
        if attachment.bytes().is_none() {
            if let Some(known) = self.fetched.get(&attachment.digest) {
                attachment.share(known);
            } else if let Some(bytes) = kept(attachment, journal).await? {
                attachment.fill(bytes).map_err(|error| {
                    let message = format!("{}: {error}", attachment.describe());
                    ModelError::new(ModelErrorKind::Attachment, message)
                        .with_advice("attach it again")
                })?;
            }
        }
        if attachment.bytes().is_some() {
            self.fetched.entry(attachment.digest).or_insert_with(|| attachment.clone());
        }
        Ok(attachment.bytes().is_some())
    }
}

/// What a person has to know of texts that go with the question and are longer than a model reads.
pub(super) fn cut_texts(conversation: &Conversation) -> Vec<String> {
    let question = conversation.messages().last().filter(|it| it.role() == "user");
    let files = question.iter().flat_map(|it| it.attachments());
    let cut = files.filter_map(|file| {
        let shown = file.text()?;
        ((shown.len() as u64) < file.size).then(|| {
            let letters = shown.chars().count();
            format!("{}: the model reads its first {letters} characters", file.describe())
        })
    });
    cut.collect()
}

/// The bytes of an attachment, where they are kept.
async fn kept(
    attachment: &Attachment,
    journal: Option<&dyn Journal>,
) -> Result<Option<Arc<[u8]>>, ModelError> {
    let Some(journal) = journal else { return Ok(None) };
    journal.attachment(&attachment.digest).await.map_err(|error| {
        ModelError::new(ModelErrorKind::Attachment, error.message)
            .with_advice(error.advice.unwrap_or_else(|| "ask again".to_owned()))
    })
}

/// A message in which text files are text, and what the model does not take is told.
fn told(message: &Message, model: &dyn Model) -> Message {
    let (mut text, mut kept) = (String::new(), Vec::new());
    for part in message.parts() {
        match part {
            ContentPart::Text(piece) => text.push_str(piece),
            ContentPart::Attachment(it) if model.accepts(it) && it.bytes().is_some() => {
                let mut it = it.clone();
                it.at = text.chars().count();
                kept.push(it);
            }
            ContentPart::Attachment(it) => text.push_str(&words(it)),
        }
    }
    match message {
        Message::Tool(result) => {
            let mut outcome = result.outcome.clone();
            (outcome.text, outcome.attachments) = (text, kept);
            Message::Tool(ToolMessage { outcome, ..result.clone() })
        }
        Message::User(said) => {
            Message::User(UserMessage { content: text, attachments: kept, ..said.clone() })
        }
        other => other.clone(),
    }
}

/// What stands for an attachment in a text.
fn words(attachment: &Attachment) -> String {
    let about = attachment.describe();
    match attachment.text() {
        Some(shown) => {
            let is_cut = (shown.len() as u64) < attachment.size;
            let rest = if is_cut { "\n[cut off]" } else { "" };
            format!("\n[{about}]\n{shown}{rest}\n{END_OF_FILE}\n")
        }
        None => format!("\n[{about} was attached, and cannot be shown]\n"),
    }
}

fn refused(model: &dyn Model, attachment: &Attachment) -> ModelError {
    let kind = attachment.kind().name();
    let message = format!("{} takes no {kind}: {}", model.name(), attachment.describe());
    let advice = match attachment.kind() {
        AttachmentKind::Image => "ask a model that sees pictures, or leave it out",
        AttachmentKind::Audio => "ask a model that hears, or leave it out",
        AttachmentKind::Pdf => "ask a model that reads PDF, or attach its text",
        _ => "attach its text, or leave it out",
    };
    ModelError::new(ModelErrorKind::Attachment, message).with_advice(advice)
}

fn gone(attachment: &Attachment) -> ModelError {
    let message = format!("the bytes of {} are not here", attachment.describe());
    ModelError::new(ModelErrorKind::Attachment, message).with_advice("attach it again")
}
