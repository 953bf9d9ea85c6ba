//! [`Repair`]: making a history from elsewhere acceptable to every provider.
//!
//! Providers reject a call without a result, a result without a call, a call without a name and a
//! reply that says nothing. A history that another program wrote, or that a crash cut short, may
//! have any of them. Repairing twice changes nothing more.

use std::collections::HashSet;

use super::Conversation;
use crate::{CallId, Message, Outcome, ToolMessage};

/// What had to be changed in a history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repair {
    /// Calls that had no result and got one that says so.
    pub interrupted: Vec<CallId>,
    /// Results that answered no call and were set aside.
    pub set_aside: Vec<ToolMessage>,
    /// Calls whose id was missing or used before and that got a new one.
    pub renamed: Vec<CallId>,
    /// Results that stood in the wrong place and were moved behind their call.
    pub moved: Vec<CallId>,
    /// How many calls without a name, and replies that said nothing, were left out.
    pub left_out: usize,
}

impl Repair {
    /// Whether nothing had to be changed.
    pub fn is_clean(&self) -> bool {
        *self == Self::default()
    }
}

impl Conversation {
    /// A conversation from messages that came from elsewhere, and what had to be changed.
    pub fn load(messages: impl IntoIterator<Item = Message>) -> (Self, Repair) {
        let mut repair = Repair::default();
        let mut conversation = Self::new();
        let mut rest: Vec<Option<Message>> = Vec::new();
        for mut message in messages {
            repair.left_out += leave_out(&mut message);
            let silent = matches!(&message, Message::Assistant(it) if it.calls.is_empty() && it.content.trim().is_empty());
            repair.left_out += usize::from(silent);
            rest.extend((!silent).then_some(Some(message)));
        }
        for at in 0..rest.len() {
            match rest.get_mut(at).and_then(Option::take) {
                Some(Message::Assistant(mut message)) if !message.calls.is_empty() => {
                    let asked: Vec<CallId> = message.calls.iter().map(|c| c.id.clone()).collect();
                    let renamed = conversation.give_ids(&mut message.calls);
                    repair.renamed.extend(renamed);
                    let calls = message.calls.clone();
                    conversation.push(Message::Assistant(message));
                    for (number, (call, asked)) in calls.into_iter().zip(asked).enumerate() {
                        let in_place = at + 1 + number;
                        let result = take_result(&mut rest, at + 1, &asked, &call.name);
                        let result = match result {
                            Some((found, result)) => {
                                if found != in_place {
                                    repair.moved.push(call.id.clone());
                                }
                                ToolMessage { call: call.id, name: call.name, ..result }
                            }
                            None => {
                                repair.interrupted.push(call.id.clone());
                                ToolMessage {
                                    call: call.id,
                                    name: call.name,
                                    outcome: Outcome::interrupted(),
                                }
                            }
                        };
                        conversation.push(Message::Tool(result));
                    }
                }
                Some(Message::Tool(orphan)) => repair.set_aside.push(orphan),
                Some(message) => conversation.push(message),
                None => {}
            }
        }
        (conversation, repair)
    }

    /// Gives every call an id of its own in this conversation; returns the new ones.
    pub(crate) fn give_ids(&self, calls: &mut [crate::Call]) -> Vec<CallId> {
        let mut renamed = Vec::new();
        let mut used = HashSet::new();
        for (number, call) in calls.iter_mut().enumerate() {
            let taken = |id: &CallId| self.has_call(id) || used.contains(id);
            if call.id.as_str().is_empty() || taken(&call.id) {
                let fresh = (0..)
                    .map(|n| CallId::new(format!("call_{}_{}", self.len() + n, number)))
                    .find(|id| !taken(id));
                call.id = fresh.unwrap_or_else(|| call.id.clone());
                renamed.push(call.id.clone());
            }
            used.insert(call.id.clone());
        }
        renamed
    }
}

/// Leaves out calls that name no tool; returns how many.
fn leave_out(message: &mut Message) -> usize {
    let Message::Assistant(message) = message else { return 0 };
    let before = message.calls.len();
    message.calls.retain(|call| !call.name.trim().is_empty());
    before - message.calls.len()
}

/// Takes the first result from `from` on that answers the call: by its id, or, where the writer
/// knew no ids, by the tool's name among the results that directly follow.
fn take_result(
    rest: &mut [Option<Message>],
    from: usize,
    id: &CallId,
    tool: &str,
) -> Option<(usize, ToolMessage)> {
    let by_id = |message: &Option<Message>| matches!(message, Some(Message::Tool(it)) if !id.as_str().is_empty() && it.call == *id);
    let by_name = |message: &Option<Message>| matches!(message, Some(Message::Tool(it)) if it.call.as_str().is_empty() && it.name == tool);
    let declares = |message: &Option<Message>| {
        message.as_ref().is_some_and(|it| it.calls().iter().any(|call| call.id == *id))
    };
    let tail = rest.get(from..)?;
    // Some servers use `call_0` in every round: a result behind the next such call is that one's.
    let own = tail.iter().position(declares).unwrap_or(tail.len());
    let near = tail.iter().take_while(|it| matches!(it, None | Some(Message::Tool(_)))).count();
    let at = tail
        .iter()
        .take(own)
        .position(by_id)
        .or_else(|| tail.iter().take(near).position(by_name))
        .map(|at| from + at)?;
    match rest.get_mut(at).and_then(Option::take) {
        Some(Message::Tool(result)) => Some((at, result)),
        _ => None,
    }
}
