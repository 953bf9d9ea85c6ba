//! [`Settings`]: how a model is to write, in the form of Gemini.

use bytes::BytesMut;
use serde_json::{Map, Value, json};
use toolwright_core::{ModelOptions, ModelRequest, ToolChoice};

use super::{family::Family, messages::key, parts::sendable_name, schema::accepted};
use crate::endpoint::{Fixed, write::json as write};

/// More places to stop at are refused.
const MOST_STOPS: usize = 5;
/// What a request is made of, and no option.
const OURS: [&str; 7] =
    ["model", "messages", "stream", "contents", "systemInstruction", "tools", "toolConfig"];
/// What a request says of its form, and of how many replies there are.
const OURS_BELOW: [&str; 4] =
    ["responseMimeType", "responseSchema", "responseJsonSchema", "candidateCount"];
/// Fields that people know by their names alone, and that stand in `generationConfig`.
const BELOW: [&str; 9] = [
    "topK",
    "presencePenalty",
    "frequencyPenalty",
    "mediaResolution",
    "thinkingConfig",
    "responseModalities",
    "responseLogprobs",
    "logprobs",
    "speechConfig",
];

/// How a model is to write.
pub(super) struct Settings {
    /// What stands in `generationConfig`.
    config: Map<String, Value>,
    /// Further fields of the request.
    fields: Map<String, Value>,
    /// What the model would reject, and why.
    rejected: Vec<&'static str>,
}

impl Settings {
    pub(super) fn new(options: &ModelOptions, fixed: &Fixed<'_>) -> Self {
        let mut settings = Self { config: Map::new(), fields: Map::new(), rejected: Vec::new() };
        for (name, value) in &options.extra {
            settings.extra(camel(name), value);
        }
        let thinking = settings.thinking(options.reasoning_effort.as_deref(), fixed);
        // Two ways to say how much it thinks are refused.
        if let Some(thinking) = thinking {
            settings.config.entry("thinkingConfig").or_insert(thinking);
        }
        let seed = options.seed.and_then(|seed| i32::try_from(seed).ok());
        if options.seed.is_some() && seed.is_none() {
            settings.rejected.push("seed: it has 32 bits here");
        }
        if options.stop.len() > MOST_STOPS {
            settings.rejected.push("stop: of more than five texts the first five are sent");
        }
        if options.parallel_tool_calls == Some(false) {
            settings.rejected.push("parallel_tool_calls: it always may");
        }
        let stop: Vec<_> = options.stop.iter().take(MOST_STOPS).cloned().collect();
        let said = [
            ("temperature", options.temperature.map(Value::from)),
            ("topP", options.top_p.map(Value::from)),
            ("maxOutputTokens", options.max_output_tokens.map(Value::from)),
            ("stopSequences", (!stop.is_empty()).then(|| stop.into())),
            ("seed", seed.map(Value::from)),
        ];
        let said = said.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        settings.config.extend(said);
        settings
    }

    /// Takes a field of the provider's own.
    fn extra(&mut self, name: String, value: &Value) {
        match (name.as_str(), value) {
            ("generationConfig", Value::Object(fields)) => {
                let fields = fields.iter().map(|(name, value)| (camel(name), value.clone()));
                let fields = fields.filter(|(name, _)| !OURS_BELOW.contains(&name.as_str()));
                self.config.extend(fields);
            }
            (name, _) if OURS.contains(&name) || OURS_BELOW.contains(&name) => {}
            (field, _) if BELOW.contains(&field) => drop(self.config.insert(name, value.clone())),
            _ => drop(self.fields.insert(name, value.clone())),
        }
    }

    /// How much it thinks, and that its thoughts are shown.
    fn thinking(&mut self, effort: Option<&str>, fixed: &Fixed<'_>) -> Option<Value> {
        let family = Family::of(fixed.model);
        let thinks = fixed.facts.reasons.unwrap_or_else(|| family.thinks());
        let Some(effort) = effort.map(str::to_ascii_lowercase) else {
            return thinks.then(|| json!({"includeThoughts": true}));
        };
        if !thinks && !family.may_think() {
            self.rejected.push("reasoning_effort: it does not think");
            return None;
        }
        if let Ok(budget) = effort.parse::<i64>() {
            return Some(json!({"thinkingBudget": budget, "includeThoughts": budget != 0}));
        }
        if family.is_third() {
            return Some(
                json!({"thinkingLevel": self.level(&effort, family), "includeThoughts": true}),
            );
        }
        let Some(budget) = budget(&effort, family) else {
            self.rejected.push("reasoning_effort: it takes none, low, medium, high or a number");
            return None;
        };
        Some(json!({"thinkingBudget": budget, "includeThoughts": budget != 0}))
    }

    fn level(&mut self, effort: &str, family: Family<'_>) -> String {
        if effort == "none" {
            self.rejected
                .push("reasoning_effort: it cannot be kept from thinking, a little is the least");
        }
        match effort {
            "none" | "minimal" if family.is_flash() => "MINIMAL".to_owned(),
            "none" | "minimal" => "LOW".to_owned(),
            "xhigh" | "max" => "HIGH".to_owned(),
            // What it does not know it says itself.
            other => other.to_ascii_uppercase(),
        }
    }

    /// Tells what is left out.
    pub(super) fn warn(&self, model: &str) {
        for rejected in &self.rejected {
            tracing::warn!(
                model,
                "an option that this model does not take is left out: {rejected}"
            );
        }
    }

    /// Writes the fields that are none of ours.
    pub(super) fn write_fields(&self, out: &mut BytesMut) {
        for (name, value) in &self.fields {
            key(out, name);
            write(out, value);
        }
    }

    /// Writes how the model is to write, and the form that the reply has to have.
    pub(super) fn write_config(
        mut self,
        out: &mut BytesMut,
        request: &ModelRequest<'_>,
        model: &str,
    ) {
        // Older models refuse a form where there are tools, called or not. The prompt asks for it as well.
        let takes_form = request.tools.is_empty() || Family::of(model).is_third();
        if let Some(output) = request.output.filter(|_| takes_form) {
            let schema = accepted(&output.sent());
            self.config.insert("responseMimeType".to_owned(), "application/json".into());
            self.config.insert("responseJsonSchema".to_owned(), schema);
        }
        if !self.config.is_empty() {
            key(out, "generationConfig");
            write(out, &self.config);
        }
    }
}

/// Writes whether a tool may, must or must not be called.
pub(super) fn write_choice(out: &mut BytesMut, choice: &ToolChoice) {
    let calling = match choice {
        // The default wherever there are tools: nothing to say.
        ToolChoice::Auto => return,
        ToolChoice::Required => json!({"mode": "ANY"}),
        ToolChoice::None => json!({"mode": "NONE"}),
        ToolChoice::Tool(name) => {
            json!({"mode": "ANY", "allowedFunctionNames": [sendable_name(name)]})
        }
    };
    key(out, "toolConfig");
    write(out, &json!({"functionCallingConfig": calling}));
}

/// How many tokens of thought a word stands for, as Google's own translation of it has them.
fn budget(effort: &str, family: Family<'_>) -> Option<i64> {
    Some(match effort {
        // The large ones cannot be kept from it.
        "none" if family.is_pro() => 128,
        "none" => 0,
        "minimal" => 512,
        "low" => 1024,
        "medium" => 8192,
        "high" => 24_576,
        "xhigh" | "max" if family.is_pro() => 32_768,
        "xhigh" | "max" => 24_576,
        _ => return None,
    })
}

/// A field's name as Gemini writes it: `top_k` is `topK`.
fn camel(name: &str) -> String {
    let mut pieces = name.split('_');
    let mut camel = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let mut letters = piece.chars();
        camel.extend(letters.next().map(|it| it.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}
