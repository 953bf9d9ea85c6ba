//! [`CallValidator`]: the one place every call passes, in one order: known name, arguments that parse,
//! arguments that are valid, guards, approval.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Call, CallId, Conversation, EventKind, FinishReason, Guard, OpaqueCommand, Outcome,
    OutputSchema, ToolEffect, ToolSpec, ValueOrigin,
    conversation::Edit,
    guard::{AnswerCheck, CallCheck, PreviewCheck},
    plural,
    quoted::Quoted,
    review::{NoReviewer, Reviewer},
};

/// The tools a run may call, as far as checking a call needs to know them.
pub trait ToolCatalog: Send + Sync {
    /// The tool of this name, or of one that can only mean it.
    fn find(&self, name: &str) -> Option<&ToolSpec>;

    /// Whether a tool has exactly this name, or somebody let the name stand for it. Else which tool is
    /// meant is a guess.
    fn is_exact(&self, name: &str) -> bool {
        self.find(name).is_some_and(|spec| spec.name == name)
    }

    /// All of them, in order.
    fn specs(&self) -> Box<dyn Iterator<Item = &ToolSpec> + '_>;

    /// Everything that is wrong with the arguments, each violation in a line; none when valid.
    fn violations(&self, spec: &ToolSpec, arguments: &Value) -> Vec<String>;

    /// The parts of a call of which its arguments do not tell what is carried out.
    fn opaque_commands(&self, _spec: &ToolSpec, _arguments: &Value) -> Vec<OpaqueCommand> {
        Vec::new()
    }

    /// What the model is told when it calls a tool that does not exist: that, and which there are.
    fn unknown(&self, name: &str) -> String;
}

/// What a call has to pass before it runs, and an answer before it is given.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct CallValidator<'a> {
    /// The tools.
    pub catalog: &'a dyn ToolCatalog,
    /// The guards, in order.
    pub guards: &'a [Arc<dyn Guard>],
    /// Who holds answers against the results, where the run wants that.
    pub reviewer: &'a dyn Reviewer,
    /// Who knows whether an answer has the form it has to have.
    pub output: &'a dyn OutputValidator,
}

/// Knows whether an answer has the form it has to have.
pub trait OutputValidator: Send + Sync {
    /// Everything that is wrong with it, each violation in a line; none when it fits.
    fn violations(&self, schema: &OutputSchema, answer: &Value) -> Vec<String>;
}

/// Takes any JSON for what was asked for.
struct AnyJson;

impl OutputValidator for AnyJson {
    fn violations(&self, _schema: &OutputSchema, _answer: &Value) -> Vec<String> {
        Vec::new()
    }
}

impl<'a> CallValidator<'a> {
    /// Checks calls of these tools with these guards, and reviews nothing.
    pub fn new(catalog: &'a dyn ToolCatalog, guards: &'a [Arc<dyn Guard>]) -> Self {
        Self { catalog, guards, reviewer: &NoReviewer, output: &AnyJson }
    }

    /// Lets this reviewer look at answers.
    #[must_use]
    pub fn reviewer(self, reviewer: &'a dyn Reviewer) -> Self {
        Self { reviewer, ..self }
    }

    /// Lets this one tell whether an answer has the form it has to have.
    #[must_use]
    pub fn output(self, output: &'a dyn OutputValidator) -> Self {
        Self { output, ..self }
    }
}

/// What the gate says about a call.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// It may run, perhaps after a decision.
    Admit(Admitted),
    /// It may not; this is its result.
    Settle { outcome: Box<Outcome>, guard: Option<String> },
}

/// A call that passed every check.
#[derive(Clone, Debug)]
pub(crate) struct Admitted {
    /// The tool's own name.
    pub(crate) tool: String,
    /// The arguments as they were checked.
    pub(crate) arguments: Arc<Value>,
    pub(crate) effect: ToolEffect,
    pub(crate) provenance: Vec<Provenance>,
    /// Why somebody has to look at it, whatever was approved beforehand.
    pub(crate) review_reason: Option<String>,
}

impl Admitted {
    /// The event that says so.
    pub(crate) fn checked(self, id: CallId) -> EventKind {
        EventKind::CallChecked {
            id,
            tool: self.tool,
            arguments: self.arguments,
            effect: self.effect,
            provenance: self.provenance,
            review_reason: self.review_reason,
        }
    }
}

/// Where one value of a call's arguments came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Provenance {
    /// The place in the arguments, as a JSON pointer.
    pub argument: String,
    /// Where its value came from.
    #[serde(flatten)]
    pub given: ValueOrigin,
}

impl CallValidator<'_> {
    /// Checks one call of a reply.
    pub(crate) fn admit(
        &self,
        call: &Call,
        parsed: Result<Arc<Value>, crate::ArgumentsError>,
        place: Place<'_>,
        conversation: &Conversation,
    ) -> Verdict {
        let Some(spec) = self.catalog.find(&call.name) else {
            let outcome = Outcome::unknown_tool(&self.catalog.unknown(&call.name)).into();
            return Verdict::Settle { outcome, guard: None };
        };
        let fail = |message: &str| Verdict::Settle {
            outcome: spec.render.failure(&spec.name, message).into(),
            guard: None,
        };
        let cut_off = "your reply was cut off before the arguments were complete, so the tool was \
                       not run. Call it again with shorter arguments.";
        let at_length = place.finish == FinishReason::Length;
        let mut arguments = match parsed {
            // They may have been about to begin.
            Ok(_) if at_length && call.arguments.trim().is_empty() => return fail(cut_off),
            Ok(arguments) => arguments,
            Err(error) if at_length || error.is_cut_off() => return fail(cut_off),
            Err(error) => return fail(&error.to_string()),
        };
        spec.drop_empty_options(&mut arguments);
        let violations = self.catalog.violations(spec, &arguments);
        if !violations.is_empty() {
            let all = violations.join("\n- ");
            return fail(&format!("invalid arguments, the tool was not run.\n- {all}"));
        }
        if let Some(most) = spec.policy.rate.per_run.filter(|most| place.earlier >= *most as usize)
        {
            let text = format!(
                "`{}` may be called {most} {} in one run, and that was done. Use what it returned.",
                spec.name,
                plural(most.into(), "time", "times"),
            );
            let outcome = spec.render.refusal(&text).into();
            return Verdict::Settle { outcome, guard: Some("limit".to_owned()) };
        }
        let wrote = place.original_arguments;
        let mut check = CallCheck::new(call, spec, &arguments, conversation);
        (check.index, check.original_arguments) = (place.index, wrote);
        check.single_shot = place.single_shot;
        for guard in self.guards {
            if let Err(refusal) = guard.check_call(&check) {
                let outcome = spec.render.refusal(&refusal.to_string()).into();
                return Verdict::Settle { outcome, guard: Some(guard.name().to_owned()) };
            }
        }
        let mut provenance = check.into_provenance();
        let edit = wrote.map(|wrote| Edit::new(wrote, &arguments));
        let quoted = Quoted::find(spec, &arguments, edit.as_ref(), conversation);
        let quoted = quoted.or_else(|| {
            let parts = self.catalog.opaque_commands(spec, &arguments);
            parts.iter().find_map(|part| Quoted::unseen(part, edit.as_ref(), conversation))
        });
        let (care, origin) = quoted.map(|it| (it.reason, it.provenance)).unzip();
        provenance.extend(origin.flatten());
        Verdict::Admit(Admitted {
            tool: spec.name.clone(),
            arguments,
            effect: spec.effect,
            provenance,
            review_reason: care,
        })
    }

    /// The first guard that refuses what a call would do, and how the call ends then.
    pub fn refuse_preview(&self, check: &PreviewCheck<'_>) -> Option<(String, Outcome)> {
        self.guards.iter().find_map(|guard| {
            let refusal = guard.check_preview(check).err()?;
            Some((guard.name().to_owned(), check.spec.render.refusal(&refusal.to_string())))
        })
    }

    /// The first guard that refuses the answer, and why.
    pub(crate) fn refuse_answer(
        &self,
        text: &str,
        conversation: &Conversation,
    ) -> Option<(String, String)> {
        let check = AnswerCheck { text, conversation, catalog: self.catalog };
        self.guards.iter().find_map(|guard| {
            let refusal = guard.check_answer(&check).err()?;
            Some((guard.name().to_owned(), refusal.to_string()))
        })
    }
}

/// Where a call stands in its reply.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) index: usize,
    pub(crate) finish: FinishReason,
    /// How many calls of the same tool the run made before it.
    pub(crate) earlier: usize,
    /// The arguments as the model wrote them, where somebody changed them.
    pub(crate) original_arguments: Option<&'a Value>,
    /// Whether the model replies only once.
    pub(crate) single_shot: bool,
}
