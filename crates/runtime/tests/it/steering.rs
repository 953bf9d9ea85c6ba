//! What is said to a run while it goes on, through the real loop.

use std::{
    borrow::Cow,
    pin::Pin,
    sync::{Arc, Mutex},
};

use futures_core::future::BoxFuture;
use toolwright_core::{
    Attachment, Decision, DisplayText, Event, EventKind, FailureKind, Journal, JournalError,
    MessageId, ModelResponse as Said, QueueMode, QueuedMessage, Status, Timestamp, ToolEffect,
    UserMessage,
};
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, ApprovalRequest, Approver, SteerHandle};

use crate::support::{Dropped, Played, calls, echo, play, spec, stuck, text, tool, watch};

/// What the model was sent in this request, by role.
fn sent(model: &Scripted, request: usize) -> Vec<(&'static str, String)> {
    let asked = model.asked();
    let messages = asked[request].conversation.messages().iter();
    messages.map(|it| (it.role(), it.content().to_owned())).collect()
}

/// What was taken up, in order.
fn taken(played: &Played) -> Vec<String> {
    let taken = played.events.iter().filter_map(|event| match &event.kind {
        EventKind::Message { message, queued: Some(_) } => Some(message.content().to_owned()),
        _ => None,
    });
    taken.collect()
}

/// What a person reads of these events, piece by piece.
fn shown<'e>(events: impl Iterator<Item = &'e Event>) -> Vec<String> {
    let mut text = DisplayText::new();
    events.filter_map(|event| text.add(event).map(Cow::into_owned)).collect()
}

fn owned(said: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    said.iter().map(|(role, text)| (*role, (*text).to_owned())).collect()
}

#[tokio::test]
async fn said_while_tools_run_it_stands_behind_their_results() {
    let model = Scripted::new([
        calls([("a", "slow", "{}"), ("b", "look", "{}")]),
        Said::text("Seen, briefly."),
    ]);
    let steer = SteerHandle::new();
    let speaker = steer.clone();
    let slow = tool(spec("slow", ToolEffect::ReadOnly), move |_, _| {
        speaker.steer("Be brief.").expect("it goes on");
        speaker.steer("And kind.").expect("it goes on");
        async { text("slow") }
    });
    let agent = Agent::builder(model.clone()).tool(slow).tool(echo("look")).build().unwrap();
    let played = play(agent.prepare("Look.").steer(steer.clone()).start()).await;
    assert_eq!(played.answer().response, "Seen, briefly.");
    assert_eq!(taken(&played), ["Be brief.", "And kind."]);
    let results = [("tool", "slow"), ("tool", "{}"), ("user", "Be brief."), ("user", "And kind.")];
    assert_eq!(sent(&model, 1)[2..], owned(&results));
    model.assert_complete();
    assert!(steer.take_back().is_empty());
}

#[tokio::test]
async fn said_while_the_model_answers_the_run_goes_on() {
    let model = Scripted::new([Said::text("Hello."), Said::text("Bonjour.")]);
    let agent = Agent::builder(model.clone()).build().unwrap();
    let running = agent.run("Greet me.");
    let steer = running.steer();
    let mut said = false;
    let played = watch(running, |event| {
        if let (EventKind::Content { .. }, false) = (&event.kind, said) {
            said = true;
            steer.steer("In French.").expect("it goes on");
        }
    })
    .await;
    assert_eq!(played.answer().response, "Bonjour.");
    let wanted = [("user", "Greet me."), ("assistant", "Hello."), ("user", "In French.")];
    assert_eq!(sent(&model, 1), owned(&wanted));
    let late = steer.steer("And Italian.").expect_err("it has ended");
    assert_eq!(late.0, UserMessage::new("And Italian."));
    // Whoever is only told what was kept reads both answers as well, each once.
    let kept = played.events.iter().filter(|it| !it.kind.is_provisional());
    assert_eq!(shown(kept), ["Hello.", "Bonjour."]);
    assert_eq!(shown(played.events.iter()).concat(), "Hello.Bonjour.");
}

/// Says something before it decides.
struct Talking(SteerHandle);

impl Approver for Talking {
    fn decide<'a>(
        &'a self,
        _: &'a ApprovalRequest<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        self.0.steer("Keep the other one.").expect("it goes on");
        Box::pin(async { Decision::AllowReviewed })
    }
}

#[tokio::test]
async fn said_while_somebody_is_asked_it_waits_for_the_result() {
    let model = Scripted::new([calls([("a", "drop", "{}")]), Said::text("Kept.")]);
    let steer = SteerHandle::new();
    let drop = tool(spec("drop", ToolEffect::Destructive), async |_, _| text("dropped"));
    let agent = Agent::builder(model.clone()).tool(drop).approver(Talking(steer.clone()));
    let played = play(agent.build().unwrap().prepare("Drop one.").steer(steer).start()).await;
    assert_eq!(played.calls(), [("drop", Status::Ok)]);
    let wanted = [("tool", "dropped"), ("user", "Keep the other one.")];
    assert_eq!(sent(&model, 1)[2..], owned(&wanted));
}

#[tokio::test]
async fn what_a_run_did_not_get_to_is_given_back() {
    let model = Scripted::new([calls([("a", "slow", "{}")])]);
    let slow = stuck(spec("slow", ToolEffect::ReadOnly), &Dropped::default());
    let agent = Agent::builder(model.clone()).tool(slow).build().unwrap();
    let running = agent.run("Go.");
    let (cancel, steer) = (running.cancel(), running.steer());
    let played = watch(running, |event| {
        if let EventKind::CallProgress { .. } = event.kind {
            steer.steer("Faster.").expect("it goes on");
            cancel.cancel();
        }
    })
    .await;
    assert_eq!(played.failure().kind, FailureKind::Cancelled);
    assert!(taken(&played).is_empty());
    assert_eq!(steer.take_back(), [UserMessage::new("Faster.")]);
    assert!(steer.steer("Hello?").is_err());
    // Nobody hears what is said to a run that was dropped, and whoever says it learns that.
    let dropped = agent.run("Go.");
    let steer = dropped.steer();
    drop(dropped);
    assert!(steer.steer("Hello?").is_err());
}

#[tokio::test]
async fn what_is_attached_comes_with_it() {
    let model = Scripted::new([calls([("a", "look", "{}")]), Said::text("A list.")]);
    let steer = SteerHandle::new();
    let file = Attachment::new(&b"milk, eggs"[..], None, Some("list.txt")).expect("a text");
    steer.steer(UserMessage::new("See this.").with_attachment(file.clone())).expect("it waits");
    let agent = Agent::builder(model.clone()).tool(echo("look")).build().unwrap();
    let played = play(agent.prepare("Look.").steer(steer).start()).await;
    assert_eq!(taken(&played), ["See this."]);
    let kept = played.conversation.messages().iter().find(|it| it.is_steering()).expect("it");
    assert_eq!(kept.attachments()[0].digest, file.digest);
    assert!(sent(&model, 0)[1].1.contains("milk, eggs"), "{:?}", sent(&model, 0));
}

#[tokio::test]
async fn secrets_in_it_are_hidden_like_everywhere() {
    let model = Scripted::new([Said::text("Done.")]);
    let steer = SteerHandle::new();
    steer.steer("The key is hunter2-hunter2.").expect("it waits");
    let agent = Agent::builder(model.clone()).build().unwrap();
    let context = toolwright_core::RunContext::new().secret("hunter2-hunter2");
    let played = play(agent.prepare("Go.").context(context).steer(steer).start()).await;
    assert_eq!(taken(&played).len(), 1);
    assert!(!taken(&played)[0].contains("hunter2"), "{:?}", taken(&played));
}

/// A journal with a queue.
#[derive(Clone, Default)]
struct Queue(Arc<Mutex<(Vec<QueuedMessage>, Vec<MessageId>)>>);

impl Queue {
    fn put(&self, id: &str, text: &str) {
        let message = UserMessage::new(text);
        let (mode, at) = (QueueMode::Steer, Timestamp(1));
        self.0.lock().unwrap().0.push(QueuedMessage { id: id.into(), mode, at, message });
    }
}

impl Journal for Queue {
    fn append(&self, events: &[Event]) -> BoxFuture<'static, Result<(), JournalError>> {
        let mut state = self.0.lock().unwrap();
        for event in events {
            if let EventKind::Message { queued: Some(id), .. } = &event.kind {
                state.0.retain(|it| it.id != *id);
                state.1.push(id.clone());
            }
        }
        Box::pin(async { Ok(()) })
    }

    fn waiting(&self) -> BoxFuture<'static, Result<Vec<QueuedMessage>, JournalError>> {
        let waiting = self.0.lock().unwrap().0.clone();
        Box::pin(async { Ok(waiting) })
    }
}

#[tokio::test]
async fn what_the_journal_keeps_is_taken_up_once() {
    let model =
        Scripted::new([calls([("a", "slow", "{}")]), Said::text("One."), Said::text("Two.")]);
    let queue = Queue::default();
    let later = queue.clone();
    let slow = tool(spec("slow", ToolEffect::ReadOnly), move |_, _| {
        later.put("m1", "First.");
        later.put("m2", "Second.");
        async { text("slow") }
    });
    let agent = Agent::builder(model.clone()).tool(slow).build().unwrap();
    let running = agent.prepare("Go.").journal(queue.clone()).start();
    let last = queue.clone();
    let mut said = false;
    let played = watch(running, |event| {
        if let (EventKind::Content { .. }, false) = (&event.kind, said) {
            said = true;
            last.put("m3", "Third.");
        }
    })
    .await;
    assert_eq!(played.answer().response, "Two.");
    assert_eq!(taken(&played), ["First.", "Second.", "Third."]);
    let (waiting, named) = queue.0.lock().unwrap().clone();
    assert!(waiting.is_empty());
    assert_eq!(named, ["m1", "m2", "m3"].map(MessageId::from));
}

#[tokio::test]
async fn an_agent_that_is_a_tool_is_not_spoken_to() {
    let inner = Scripted::new([Said::text("Inner.")]);
    let ask = calls([("a", "helper", r#"{"input":"Help."}"#)]);
    let outer = Scripted::new([ask, Said::text("Outer.")]);
    let helper = Agent::builder(inner.clone()).build().unwrap().as_tool("helper", "Helps.");
    let agent = Agent::builder(outer.clone()).tool(helper).build().unwrap();
    let running = agent.run("Go.");
    let steer = running.steer();
    let played = watch(running, |event| {
        if let EventKind::CallStarted { .. } = &event.kind {
            steer.steer("Be brief.").expect("it goes on");
        }
    })
    .await;
    assert_eq!(played.answer().response, "Outer.");
    assert!(sent(&inner, 0).iter().all(|(_, text)| !text.contains("Be brief.")));
    assert_eq!(sent(&outer, 1).last(), owned(&[("user", "Be brief.")]).last());
}
