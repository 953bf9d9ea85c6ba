//! [`Guard`], [`Screen`] and [`Redact`]: what nobody may see is taken out of whatever comes to a run.
//!
//! The guard stands around every call of a run that has secrets, the screen before everything else
//! that becomes an event, the layer around tools whose policy names fields. All look at each byte a
//! bounded number of times.

mod fields;
mod output;
mod screen;

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use futures_core::future::BoxFuture;
use serde_json::{Map, Value};
use toolwright_core::{
    CallObserver, CallPreview, PolicyNote, PreviewContent, ReplacedText, RuleTarget, RuleTargets,
    RunContext, Tool, ToolError, ToolResult, ToolSpec, ToolUpdate,
};
use toolwright_redact::Secrets;

use self::fields::Fields;
pub(crate) use self::screen::Screen;

/// Takes the secrets of a run out of whatever a call returns or says.
#[derive(Clone)]
pub(super) struct Guard {
    secrets: Arc<Secrets>,
    /// How many it was made of.
    count: usize,
}

/// The context of a run with its guard in it, so that it is made once and not with every call.
/// Nobody else can name the type, so nobody else finds it there.
pub(crate) fn prepare(context: RunContext) -> RunContext {
    match Guard::of(&context) {
        Some(guard) => context.with_hashed(guard),
        None => context,
    }
}

/// It is made of the context's secrets, which a context is known by anyway.
impl Hash for Guard {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.count.hash(state);
    }
}

impl Guard {
    /// The guard of a run, if it has anything to hide.
    pub(super) fn of(context: &RunContext) -> Option<Self> {
        let secrets = context.secrets();
        if secrets.is_empty() {
            return None;
        }
        // Secrets are added and never removed: as many are the same.
        let ready = context.get::<Self>().filter(|ready| ready.count == secrets.len());
        Some(ready.cloned().unwrap_or_else(|| Self {
            secrets: Arc::new(Secrets::new(secrets.iter().map(|it| &**it))),
            count: secrets.len(),
        }))
    }

    /// The context to hand to the call: what is said there is cleaned before it is passed on.
    pub(super) fn context(&self, context: &RunContext) -> RunContext {
        let secrets = self.secrets.clone();
        context.watched(|before| match before {
            Some(before) => {
                Arc::new(move |said| before(said_cleanly(&secrets, said))) as CallObserver
            }
            None => Arc::new(|_| {}),
        })
    }

    /// What a call would do, shown without the secrets.
    pub(super) fn clean_preview(&self, preview: CallPreview) -> CallPreview {
        let content = preview.content.map(|content| match content {
            PreviewContent::Diff(text) => PreviewContent::Diff(self.text(text)),
            PreviewContent::Command(text) => PreviewContent::Command(self.text(text)),
        });
        let subject = |it: RuleTarget| {
            let text = self.text(it.text.clone());
            // What rules are held against is no longer what runs, so nothing of it is certain.
            let certain = if text == it.text { it.certain } else { Some(0) };
            RuleTarget { text, certain, ..it }
        };
        CallPreview {
            content,
            place: preview.place.map(|place| self.text(place)),
            review_reason: preview.review_reason.map(|care| self.text(care)),
            always: preview.always.into_iter().map(|pattern| self.text(pattern)).collect(),
            targets: match preview.targets {
                RuleTargets::Arguments => RuleTargets::Arguments,
                RuleTargets::These(all) => {
                    RuleTargets::These(all.into_iter().map(subject).collect())
                }
                RuleTargets::Unclear(reason) => RuleTargets::Unclear(self.text(reason)),
            },
            // As it was shown: without what was not.
            replaces: preview.replaces.map(|it| ReplacedText {
                name: self.text(it.name),
                text: self.text(it.text),
                advice: it.advice,
            }),
            failure: preview.failure.map(|it| error_without(&self.secrets, it, &mut 0)),
            ..preview
        }
    }

    /// A text without the secrets.
    fn text(&self, text: String) -> String {
        output::clean(&self.secrets, text, &mut 0)
    }

    /// Fields without the secrets.
    fn map(&self, fields: Map<String, Value>) -> Map<String, Value> {
        match output::clean_value(&self.secrets, Value::Object(fields), &mut 0) {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }

    /// The result without the secrets.
    pub(super) fn clean(&self, result: ToolResult, context: &RunContext) -> ToolResult {
        let mut count = 0;
        let result = match result {
            Ok(output) => Ok(output::without(&self.secrets, output, &mut count)),
            Err(error) => Err(error_without(&self.secrets, error, &mut count)),
        };
        told(count, context);
        result
    }
}

/// A result without the secrets of the run it was obtained in.
pub(super) fn clean(result: ToolResult, context: &RunContext) -> ToolResult {
    match Guard::of(context) {
        Some(guard) => guard.clean(result, context),
        None => result,
    }
}

fn said_cleanly(secrets: &Secrets, said: ToolUpdate) -> ToolUpdate {
    let clean = |text: String| secrets.clean(&text).map_or(text, |(cleaned, _)| cleaned);
    match said {
        ToolUpdate::Progress(text) => ToolUpdate::Progress(clean(text)),
        ToolUpdate::Partial(text) => ToolUpdate::Partial(clean(text)),
        ToolUpdate::Note(note) => {
            ToolUpdate::Note(PolicyNote { message: clean(note.message), ..note })
        }
    }
}

fn error_without(secrets: &Secrets, error: ToolError, count: &mut usize) -> ToolError {
    let before = *count;
    let mut text = |was: &str| output::clean(secrets, was.to_owned(), count);
    let mut cleaned = ToolError::new(text(error.message())).of_kind(error.kind());
    if let Some(detail) = error.detail() {
        cleaned = cleaned.with_detail(text(detail));
    }
    if let Some(input) = error.input() {
        cleaned = cleaned.with_input(output::clean_value(secrets, input.clone(), count));
    }
    if *count == before { error } else { cleaned }
}

fn told(count: usize, context: &RunContext) {
    let message = match count {
        0 => return,
        1 => "one place in the result was hidden".to_owned(),
        more => format!("{more} places in the result were hidden"),
    };
    context.note("redact", "redacted", message);
}

/// Masks the fields of a tool's results that its policy names.
pub(super) struct Redact {
    tool: Arc<dyn Tool>,
    fields: Fields,
}

impl Redact {
    pub(super) fn new(tool: Arc<dyn Tool>, fields: &[String]) -> Self {
        Self { tool, fields: Fields::new(fields) }
    }
}

impl Tool for Redact {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let output = self.tool.call(arguments, context).await?;
            let mut count = 0;
            let output = output::masked(&self.fields, output, &mut count);
            told(count, context);
            Ok(output)
        })
    }
}
