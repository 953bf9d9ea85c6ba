//! [`Calls`]: what became of the calls of a run, and whether it may.

use serde_json::Value;

use super::Findings;
use super::log::{is_terminal, kind, text};

/// The calls of a run so far.
#[derive(Default)]
pub(super) struct Calls(Vec<Call>);

#[derive(Default)]
struct Call {
    id: String,
    /// The arguments that passed every check.
    checked: Option<Value>,
    effect: String,
    is_repaired: bool,
    /// Whether somebody has to look at it.
    care: bool,
    /// Whether somebody changed its arguments: they have to look at it again.
    is_edited: bool,
    decision: Option<String>,
    started: usize,
    /// What it asked the user and has no answer to.
    questions: Vec<String>,
    finished: Option<String>,
}

impl Calls {
    /// Takes the next event in, and adds what speaks against it.
    pub(super) fn see(&mut self, place: &str, event: &Value, found: &mut Findings) {
        match kind(event) {
            "reply" => self.made(place, event, found),
            "tool_calls" => self.proposed(place, event, found),
            "call_checked" => self.of(place, event, found, Call::checked),
            "decision_needed" => self.asked(event),
            "decision_made" => self.of(place, event, found, Call::decided),
            "call_started" => self.of(place, event, found, Call::started),
            "question_asked" => self.of(place, event, found, Call::asks),
            "question_answered" => self.of(place, event, found, Call::answered),
            "call_finished" => self.of(place, event, found, Call::finished),
            _ if is_terminal(event) => self.ended(place, found),
            _ => {}
        }
    }

    fn made(&mut self, place: &str, event: &Value, found: &mut Findings) {
        let calls = event.pointer("/message/tool_calls").and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            let id = text(call, "id").to_owned();
            if self.0.iter().any(|known| known.id == id) {
                found.add(place, format_args!("makes the call {id:?} again"));
            }
            let is_repaired = text(call, "source") == "repaired";
            self.0.push(Call { id, is_repaired, ..Call::default() });
        }
    }

    fn proposed(&mut self, place: &str, event: &Value, found: &mut Findings) {
        let calls = event.get("tool_calls").and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            let id = text(call, "id");
            if !self.0.iter().any(|known| known.id == id) {
                found.add(place, format_args!("proposes the call {id:?}, which no reply made"));
            }
        }
    }

    /// Again, where a call that was decided about would do something else by now.
    fn asked(&mut self, event: &Value) {
        let calls = event.get("calls").and_then(Value::as_array);
        for id in calls.into_iter().flatten().filter_map(Value::as_str) {
            if let Some(call) = self.0.iter_mut().find(|call| call.id == id) {
                call.decision = None;
            }
        }
    }

    fn of(
        &mut self,
        place: &str,
        event: &Value,
        found: &mut Findings,
        take: impl FnOnce(&mut Call, &Value) -> Option<String>,
    ) {
        let id = text(event, "id");
        let problem = match self.0.iter_mut().find(|call| call.id == id) {
            Some(call) => take(call, event),
            None => Some("no reply made it".to_owned()),
        };
        if let Some(problem) = problem {
            found.add(place, format_args!("the call {id:?}: {problem}"));
        }
    }

    fn ended(&self, place: &str, found: &mut Findings) {
        for call in self.0.iter().filter(|call| call.finished.is_none()) {
            found.add(place, format_args!("the call {:?} never got its result", call.id));
        }
    }
}

impl Call {
    fn is_repeatable(&self) -> bool {
        matches!(self.effect.as_str(), "read_only" | "idempotent")
    }

    /// Approval beforehand is not enough for a call that somebody has to look at.
    fn is_allowed(&self) -> bool {
        match self.decision.as_deref() {
            Some("allow") => !self.is_repaired && !self.care && !self.is_edited,
            Some("allow_reviewed") => true,
            _ => false,
        }
    }

    /// Again only after a crash, and then with the same arguments; or with those that whoever
    /// decided about it wanted instead.
    fn checked(&mut self, event: &Value) -> Option<String> {
        let args = event.get("arguments").cloned().unwrap_or_default();
        let effect = text(event, "effect").to_owned();
        self.care = event.get("review_reason").is_some();
        let before = self.checked.replace(args.clone());
        let was = std::mem::replace(&mut self.effect, effect);
        let differs = before.as_ref().is_some_and(|before| *before != args);
        let is_wanted = self.decision.as_deref() == Some("edit");
        self.is_edited |= differs && is_wanted;
        match before {
            _ if self.finished.is_some() => Some("checked after its result".to_owned()),
            Some(_) if differs && !is_wanted => Some("checked with other arguments".to_owned()),
            Some(_) if was != self.effect => Some("checked with another effect".to_owned()),
            _ => None,
        }
    }

    /// While it runs, and under a name of its own.
    fn asks(&mut self, event: &Value) -> Option<String> {
        let question = text(event, "question_id").to_owned();
        let is_open = self.questions.contains(&question);
        self.questions.push(question);
        match () {
            () if self.started == 0 => Some("asks before it began".to_owned()),
            () if self.finished.is_some() => Some("asks after its result".to_owned()),
            () if is_open => Some("asks twice under one name".to_owned()),
            () => None,
        }
    }

    fn answered(&mut self, event: &Value) -> Option<String> {
        let question = text(event, "question_id");
        let open = self.questions.iter().position(|it| it == question);
        match open {
            _ if self.finished.is_some() => Some("answered after its result".to_owned()),
            Some(at) => {
                self.questions.remove(at);
                None
            }
            None => Some("answered and did not ask".to_owned()),
        }
    }

    fn decided(&mut self, event: &Value) -> Option<String> {
        let verdict = event.pointer("/decision/verdict").and_then(Value::as_str);
        let before = self.decision.replace(verdict.unwrap_or_default().to_owned());
        match before {
            _ if self.started > 0 => Some("decided after it began".to_owned()),
            Some(_) => Some("decided twice".to_owned()),
            None => None,
        }
    }

    fn started(&mut self, _: &Value) -> Option<String> {
        self.started += 1;
        let decision = self.decision.as_deref();
        if self.finished.is_some() {
            Some("started after its result".to_owned())
        } else if self.checked.is_none() {
            Some("started without a check".to_owned())
        } else if decision == Some("deny") {
            Some("started although it was denied".to_owned())
        } else if (self.effect == "destructive" || self.care || self.is_edited)
            && !self.is_allowed()
        {
            Some("started without a decision".to_owned())
        } else if self.started > 1 && !self.is_repeatable() {
            Some(format!("started {} times, and its effect is {}", self.started, self.effect))
        } else {
            None
        }
    }

    fn finished(&mut self, event: &Value) -> Option<String> {
        let status = text(event, "status").to_owned();
        let ran = self.started > 0;
        let problem = match (&self.finished, status.as_str()) {
            (Some(before), _) => Some(format!("finished as {status} after {before}")),
            (None, "success") if !ran => Some("finished well and never began".to_owned()),
            // What a policy or an agent's limits refuse has begun by then, and nothing of it ran.
            (None, "denied") if ran => Some(format!("{status}, and yet it began")),
            (None, "denied") if self.decision.as_deref() != Some("deny") => {
                Some("denied, and nobody decided so".to_owned())
            }
            _ => None,
        };
        self.finished = Some(status);
        problem
    }
}
