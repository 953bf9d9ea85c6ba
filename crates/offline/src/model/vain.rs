//! [`in_vain`]: calls that would bring again what they brought.

use std::sync::Arc;

use toolwright_core::{Call, Conversation, Message, Status, ToolMessage, ToolSpec};

/// The calls since the question that would bring again what they brought: nothing was changed since. A small model that
/// was told of a mistake likes to make it again.
pub(super) fn in_vain<'a>(
    conversation: &'a Conversation,
    tools: &[Arc<ToolSpec>],
) -> Vec<&'a Call> {
    let may_change = |result: &ToolMessage| {
        let spec = tools.iter().find(|it| it.name == result.name);
        !spec.is_some_and(|it| it.effect.is_read_only())
    };
    let mut made = Vec::<(&Call, Status)>::new();
    for message in conversation.turn() {
        // Until its result is there.
        made.extend(message.calls().iter().map(|call| (call, Status::Interrupted)));
        let Message::Tool(result) = &**message else { continue };
        let status = result.outcome.status;
        made.iter_mut().filter(|(call, _)| call.id == result.call).for_each(|it| it.1 = status);
        match status {
            Status::Refused | Status::Denied => {}
            // What it did before it failed may have others bring something else, and itself the same.
            Status::Failed if may_change(result) => made.retain(|(_, status)| !status.is_ok()),
            Status::Ok | Status::TimedOut | Status::Cancelled | Status::Interrupted
                if may_change(result) =>
            {
                made.clear();
            }
            _ => {}
        }
    }
    made.into_iter().map(|(call, _)| call).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolwright_core::{AssistantMessage, CallId, Outcome, ToolEffect};

    use super::*;

    /// What is left of calls that ended so, each in a reply of its own.
    fn left(steps: &[(&str, Outcome)]) -> Vec<String> {
        let mut conversation = Conversation::new();
        conversation.push(Message::user("Look"));
        for (at, (name, outcome)) in steps.iter().enumerate() {
            let id = CallId::from(format!("{at}"));
            let calls = vec![Call::new(id.clone(), *name, "{}")];
            let reply = AssistantMessage { calls, ..AssistantMessage::default() };
            conversation.push(Message::Assistant(reply));
            conversation.push(Message::tool(id, *name, outcome.clone()));
        }
        let spec = |name: &str, effect| Arc::new(ToolSpec::new(name, "", json!({})).effect(effect));
        let tools = [spec("look", ToolEffect::ReadOnly), spec("do", ToolEffect::Destructive)];
        in_vain(&conversation, &tools).iter().map(|it| it.name.clone()).collect()
    }

    #[test]
    fn what_was_looked_up_is_looked_up_again_only_once_something_changed() {
        let (ok, failed) = (Outcome::ok("Yes."), Outcome::failed("No."));
        assert_eq!(left(&[("look", ok.clone()), ("look", failed.clone())]), ["look", "look"]);
        assert_eq!(left(&[("look", ok.clone()), ("do", ok.clone())]), [""; 0]);
        assert_eq!(left(&[("look", ok.clone()), ("do", failed.clone())]), ["do"]);
        assert_eq!(left(&[("do", failed), ("do", ok.clone()), ("look", ok)]), ["look"]);
    }
}
