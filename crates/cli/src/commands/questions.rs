//! [`WithQuestions`]: questions of tools are put to the person at the terminal, field by field.

use futures_core::future::BoxFuture;
use serde_json::{Map, Value};
use toolwright_core::{
    Decision, FieldKind, FieldOption, Question, QuestionAnswer, QuestionField, QuestionKind,
    ToolSpec, revealed, truncate_line,
};
use toolwright_runtime::{ApprovalRequest, Approver, QuestionFuture, QuestionRequest};

use super::approving::{dialogue, read};
use crate::{
    reading::is_person,
    style::{BOLD, DIM, END, WARN, line, tame},
};

/// How much of a name stands before what is typed.
const LABEL: usize = 60;
/// Typed where a field is to be left empty although something stands there.
const EMPTY: &str = "-";

/// How many questions a person is asked in one run.
const QUESTIONS: u32 = 30;

/// Decides about calls as another does, and puts questions of tools to the person at the terminal, if
/// there is one.
pub(super) struct WithQuestions<A>(pub(super) A);

impl<A: Approver> Approver for WithQuestions<A> {
    fn decide<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        self.0.decide(request)
    }

    fn refresh(&self) -> BoxFuture<'_, ()> {
        self.0.refresh()
    }

    fn without_asking(&self, request: &ApprovalRequest<'_>) -> Option<Decision> {
        self.0.without_asking(request)
    }

    fn wants(&self, tool: &ToolSpec) -> bool {
        self.0.wants(tool)
    }

    fn concern(&self, request: &ApprovalRequest<'_>) -> Option<String> {
        self.0.concern(request)
    }

    fn answers_questions(&self, request: &QuestionRequest<'_>) -> bool {
        is_person() && request.asked < QUESTIONS
    }

    fn answer<'a>(&'a self, request: &'a QuestionRequest<'a>) -> QuestionFuture<'a> {
        Box::pin(async move {
            // The question is on its way to the screen: it comes first.
            let Some(_dialogue) = dialogue().await else { return QuestionAnswer::Cancel };
            answer(request.question).await
        })
    }
}

/// Puts a question to the person at the terminal. What was asked, and by whom, is on the screen already.
pub(super) async fn answer(question: &Question) -> QuestionAnswer {
    let prompt = match question.kind {
        QuestionKind::Url { .. } => "Will you visit it? [y]es / [N]o: ",
        _ if question.fields().is_empty() => "Do you agree? [y]es / [N]o: ",
        _ => "Answer it? [y]es / [N]o: ",
    };
    match read(prompt).await.as_deref().map(str::trim) {
        Some("y" | "Y" | "yes") => {}
        Some(_) => return QuestionAnswer::Decline,
        None => return QuestionAnswer::Cancel,
    }
    let mut content = Map::new();
    for field in question.fields() {
        let Some(value) = fill_in(field).await else { return QuestionAnswer::Cancel };
        content.insert(field.name.clone(), value);
    }
    QuestionAnswer::Accept { content }
}

/// What was typed for a field, once that is valid. Nothing where the person does not go on.
async fn fill_in(field: &QuestionField) -> Option<Value> {
    let label = tame(&revealed(&truncate_line(field.label(), LABEL)));
    let must = if field.required { "" } else { " (optional)" };
    line(&format!("{BOLD}{label}{END}{DIM}{must}{END}"));
    if let Some(description) = &field.description {
        line(&format!("  {DIM}{}{END}", revealed(description)));
    }
    for (at, option) in options(&field.kind).iter().enumerate() {
        line(&format!("  {}. {}", at + 1, revealed(option.label())));
    }
    let hint = hint(field);
    loop {
        let typed = read(&format!("{label}{hint}: ")).await?;
        let typed = typed.trim();
        let value = match typed {
            "" => field.default_value().unwrap_or(Value::Null),
            EMPTY if !field.required => Value::Null,
            typed => read_value(&field.kind, typed),
        };
        let wrong = match &value {
            Value::Null if field.required => Some("is needed".to_owned()),
            Value::Null => None,
            value => field.violation(value),
        };
        match wrong {
            None => return Some(value),
            Some(wrong) => line(&format!("  {WARN}!{END} {label} {}.", revealed(&wrong))),
        }
    }
}

/// What stands there, and how it is typed.
fn hint(field: &QuestionField) -> String {
    let how = match &field.kind {
        FieldKind::Boolean { .. } => "y/n",
        FieldKind::Choice { .. } => "a number",
        FieldKind::MultipleChoice { .. } => "numbers, as in 1,3",
        FieldKind::Text { format: Some(format), .. } => match format {
            toolwright_core::TextFormat::Date => "as in 2026-03-01",
            toolwright_core::TextFormat::DateTime => "as in 2026-03-01T12:00:00Z",
            _ => "",
        },
        _ => "",
    };
    let default = field.default_value().map(|it| {
        let empty = if field.required { "" } else { "; - for none" };
        format!("Enter for {}{empty}", shown(&field.kind, &it))
    });
    let said: Vec<_> =
        Some(how.to_owned()).filter(|it| !it.is_empty()).into_iter().chain(default).collect();
    match said.is_empty() {
        true => String::new(),
        false => format!(" [{}]", said.join("; ")),
    }
}

/// A value as it is typed.
fn shown(kind: &FieldKind, value: &Value) -> String {
    let number = |value: &Value| {
        let at = options(kind).iter().position(|it| value.as_str() == Some(&it.value));
        at.map_or_else(String::new, |at| (at + 1).to_string())
    };
    let text = match (kind, value) {
        (FieldKind::Choice { .. }, value) => number(value),
        (FieldKind::MultipleChoice { .. }, Value::Array(all)) => {
            all.iter().map(number).collect::<Vec<_>>().join(",")
        }
        (_, Value::Bool(is_true)) => if *is_true { "y" } else { "n" }.to_owned(),
        (_, Value::String(text)) => truncate_line(text, LABEL),
        (_, value) => value.to_string(),
    };
    tame(&revealed(&text))
}

fn options(kind: &FieldKind) -> &[FieldOption] {
    match kind {
        FieldKind::Choice { options, .. } | FieldKind::MultipleChoice { options, .. } => options,
        _ => &[],
    }
}

/// What was typed, as what the field wants; as a text where it is not that, which is then told.
fn read_value(kind: &FieldKind, typed: &str) -> Value {
    let text = || Value::from(typed);
    match kind {
        FieldKind::Number { .. } | FieldKind::Integer { .. } => {
            serde_json::from_str::<serde_json::Number>(typed).map_or_else(|_| text(), Value::Number)
        }
        FieldKind::Boolean { .. } => match typed.to_ascii_lowercase().as_str() {
            "y" | "yes" | "true" => true.into(),
            "n" | "no" | "false" => false.into(),
            _ => text(),
        },
        FieldKind::Choice { options, .. } => chosen(options, typed),
        FieldKind::MultipleChoice { options, .. } => {
            let all = typed.split([',', ' ']).filter(|it| !it.is_empty());
            all.map(|it| chosen(options, it)).collect()
        }
        _ => text(),
    }
}

/// The choice of this number, or as it is written.
fn chosen(options: &[FieldOption], typed: &str) -> Value {
    let at = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let by_number = at.and_then(|at| options.get(at));
    let by_name = || options.iter().find(|it| it.value == typed || it.label() == typed);
    by_number.or_else(by_name).map_or_else(|| typed.into(), |it| it.value.clone().into())
}
