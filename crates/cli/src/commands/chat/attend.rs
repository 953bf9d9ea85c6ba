//! [`attend`]: a run that is followed to its end while a person may type.

use std::io;

use toolwright_core::{
    Attachment, ConversationId, QueueMode, QueuedMessage, Timestamp, UserMessage,
};
use toolwright_runtime::{RunStream, new_message_id};
use toolwright_store::Store;

use super::{asking::with_named_files, draft::Keyed, keyboard::Keyboard, table};
use crate::{error::Result, screen::Screen, stop::Ending};

/// What came of a run, and of what was typed meanwhile.
pub(super) struct Attended {
    pub(super) is_answered: bool,
    /// Ctrl-C was pressed again: the chat ends.
    pub(super) is_left: bool,
    /// What the model thought.
    pub(super) thought: String,
    /// Commands, for when the run has ended.
    pub(super) later: Vec<String>,
    /// The line that was not entered.
    pub(super) draft: String,
}

/// Where what is typed waits for the run, or for its end.
struct Queue<'a> {
    store: &'a Store,
    id: &'a ConversationId,
    later: Vec<String>,
}

/// Follows a run to its end. Ctrl-C ends it in good order, and pressed again the chat with it.
pub(super) async fn attend(
    run: &mut RunStream,
    ending: &Ending,
    mut screen: Screen,
    store: &Store,
    id: &ConversationId,
) -> Result<Attended> {
    let cancel = run.cancel();
    let mut keyboard = Keyboard::open();
    let mut queue = Queue { store, id, later: Vec::new() };
    let mut stop = Box::pin(ending.begin()?);
    let mut is_left = false;
    loop {
        tokio::select! {
            biased;
            event = run.next() => match event {
                Some(event) => match screen.show(&event) {
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => cancel.cancel(),
                    shown => shown?,
                },
                None => break,
            },
            keyed = keyboard.typed() => match keyed {
                Keyed::Draft(draft) => screen.draft(&draft),
                Keyed::Entered(text, mode) => queue.take(text, mode, &mut screen).await,
            },
            () = &mut stop, if !is_left => {
                is_left = cancel.is_cancelled();
                cancel.cancel();
                stop = Box::pin(ending.begin()?);
            },
        }
    }
    // A failure was shown as it happened; the conversation goes on from what stands.
    let is_answered = run.finish().await.is_ok();
    let (left, draft) = keyboard.close();
    screen.rest();
    for keyed in left {
        if let Keyed::Entered(text, _) = keyed {
            queue.later.push(text);
        }
    }
    let (later, thought) = (queue.later, screen.into_thought());
    Ok(Attended { is_answered, is_left, thought, later, draft })
}

impl Queue<'_> {
    /// A line that was entered: a message waits in the conversation, a command for the end of the run.
    async fn take(&mut self, text: String, mode: QueueMode, screen: &mut Screen) {
        screen.draft("");
        let (text, mode) = match table::split(&text) {
            ("/next", rest) if !rest.is_empty() => (rest.to_owned(), QueueMode::Next),
            _ => (text, mode),
        };
        if text.trim_start().starts_with('/') {
            screen.noted(&text, "done after the answer");
            return self.later.push(text);
        }
        let message = match with_named_files(UserMessage::new(text.clone())) {
            Ok(message) => message,
            Err(error) => return screen.noted(&text, &format!("not said: {error}")),
        };
        let with: Vec<_> = message.attachments.iter().map(Attachment::describe).collect();
        let with =
            if with.is_empty() { String::new() } else { format!("; with {}", with.join(", ")) };
        let queued = QueuedMessage { id: new_message_id(), mode, at: now(), message };
        match self.store.queue(self.id, queued).await {
            Ok(()) => screen.noted(
                &text,
                &match mode {
                    QueueMode::Steer => {
                        format!("waits for the next step{with}; Ctrl-C stops the run")
                    }
                    QueueMode::Next => format!("asked after the answer{with}"),
                },
            ),
            // It is nowhere to wait yet, or cannot be kept: it is asked afterwards.
            Err(_) => {
                screen.noted(&text, "asked after the answer");
                self.later.push(text);
            }
        }
    }
}

fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp(since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX)))
}
