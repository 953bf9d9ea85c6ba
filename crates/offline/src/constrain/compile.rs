//! [`Compiler`]: a [`Grammar`] from the tools' schemas.
//!
//! A value that cannot be written (a number where the conversation gives none) is left out; with it an
//! object that must have it, and in the end the tool. So whatever is begun can be ended.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::Value;
use toolwright_core::{ToolChoice, ToolSpec};

use super::{
    Prose, Style, Values,
    context::{Context, Words},
    days::{Days, Side},
    forms::{Form, clock},
    grammar::{Begin, Grammar, Kind, ListId, Node, NodeId, Pieces, Then},
    list::List,
    shapes::{Unwritable, shapes},
    spans::Length,
    text::{Amount, Clock},
    values,
};
use crate::{prompt::spaced, schema};

/// How deep values are nested.
const DEPTH: usize = 6;
/// How many kinds of values one grammar has: a schema may refer to itself many times.
const NODES: usize = 4000;

/// Makes a [`Grammar`].
pub(super) struct Compiler<'a> {
    context: &'a Context,
    values: Values,
    days: Days,
    pub(super) nodes: Vec<Node>,
    lists: Vec<Entries>,
    /// What the schema at hand asks that cannot be seen to.
    pub(super) unwritable: Option<Unwritable>,
}

pub(super) type Entries = Vec<(Box<[u8]>, Then)>;

/// Where a value stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// What `$ref`s lead into.
    pub(super) root: &'a Value,
    /// The nearest name.
    pub(super) name: &'a str,
    pub(super) need: Need,
    pub(super) source: Source,
    pub(super) depth: usize,
}

/// Two fields that are written as one, of which each value of the one has its own of the other.
#[derive(Clone, Copy)]
pub(super) struct Joined<'a> {
    pub(super) first: &'a str,
    pub(super) second: &'a str,
    /// The value of the first, the name of the second, and its value; where there is none, neither can be written.
    pub(super) value: Option<NodeId>,
}

/// Whether a value has to be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Required,
    Optional,
}

/// Where the words of a string come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The conversation.
    Held,
    /// Results, or what in the conversation names a thing.
    Grounded,
    /// The model.
    Composed,
    /// The model, and more than nothing.
    Put,
    /// The lines that something is to be taken out of: they are what is there now.
    TakenOut,
    /// The same, or nothing: what stays of them.
    Left,
    /// Nowhere: nobody asked for it.
    Withheld,
}

impl Place<'_> {
    fn pieces(self) -> Pieces {
        match self.source {
            Source::Grounded => Pieces::Ids,
            Source::TakenOut | Source::Left => Pieces::TakenOut,
            Source::Held | Source::Composed | Source::Put | Source::Withheld => Pieces::All,
        }
    }
}

/// The grammar of a turn.
pub(super) fn grammar(
    tools: &[Arc<ToolSpec>],
    context: Context,
    choice: &ToolChoice,
    style: Style,
) -> Grammar {
    let Style { prose, values, calls: form } = style;
    let (nodes, lists, unwritable) = (Vec::new(), Vec::new(), None);
    let days = context.days();
    let mut compiler = Compiler { context: &context, values, days, nodes, lists, unwritable };
    let mut refused = Vec::new();
    let mut calls = Entries::new();
    let is_chosen = |spec: &ToolSpec| match choice {
        ToolChoice::None => false,
        // Whoever names it asks for it.
        ToolChoice::Tool(name) => spec.name == *name,
        ToolChoice::Auto | ToolChoice::Required => context.asks_by(spec, tools),
    };
    for spec in tools.iter().filter(|spec| is_chosen(spec)) {
        compiler.unwritable = None;
        if let Some(arguments) = compiler.arguments(spec) {
            let opening = form.opening(&spec.name);
            calls.push((opening.into_bytes().into(), Then::Arguments(arguments)));
        } else if let Some(Unwritable(reason)) = compiler.unwritable.take() {
            refused.push((spec.name.clone(), reason));
        }
    }
    let after_line = |(bytes, then): &(Box<[u8]>, Then)| {
        ([b"\n".as_slice(), bytes].concat().into_boxed_slice(), *then)
    };
    let more_calls: Entries = match form.has_several() {
        true => calls.iter().map(after_line).collect(),
        false => Entries::new(),
    };
    let begin = match choice {
        _ if calls.is_empty() => Begin::Prose,
        ToolChoice::Auto => Begin::Either,
        _ => Begin::Call,
    };
    let end_of_call = compiler.list([(form.closing(), Then::Called)]);
    let calls = compiler.list_of(calls);
    let more_calls = compiler.list_of(more_calls);
    let Compiler { nodes, lists, .. } = compiler;
    let lists = lists.into_iter().map(List::new).collect();
    let Context { all, ids, taken_out, grounds, .. } = context;
    let (spans, ids) = (all.spans, ids.spans);
    let grounds = (prose == Prose::Grounded).then_some(grounds);
    Grammar {
        nodes,
        lists,
        spans,
        ids,
        taken_out,
        grounds,
        calls,
        more_calls,
        end_of_call,
        begin,
        refused,
    }
}

impl Compiler<'_> {
    /// Where a value's words come from, where it is no text of some lines alone.
    pub(super) fn words(&self, place: Place<'_>) -> &Words {
        match place.pieces() {
            Pieces::All | Pieces::TakenOut => &self.context.all,
            Pieces::Ids => &self.context.ids,
        }
    }

    pub(super) fn list<const N: usize>(&mut self, entries: [(&str, Then); N]) -> ListId {
        self.push(entries.map(|(text, then)| (text.as_bytes().into(), then)).into())
    }

    /// The list, if there is anything in it.
    pub(super) fn list_of(&mut self, entries: Entries) -> Option<ListId> {
        (!entries.is_empty()).then(|| self.push(entries))
    }

    pub(super) fn push(&mut self, entries: Entries) -> ListId {
        self.lists.push(entries);
        self.lists.len() as ListId - 1
    }

    pub(super) fn node(&mut self, entries: Entries, kind: Kind) -> NodeId {
        let open = self.push(entries);
        self.nodes.push(Node { open, kind });
        self.nodes.len() as NodeId - 1
    }

    /// One of these texts, if there are any.
    pub(super) fn whole(&mut self, texts: impl IntoIterator<Item = String>) -> Option<NodeId> {
        let entries = texts.into_iter().map(|text| (text.into_bytes().into(), Then::Done));
        let entries: Entries = entries.collect();
        (!entries.is_empty()).then(|| self.node(entries, Kind::Whole))
    }

    /// A string whose inside is of this kind.
    fn quoted(&mut self, kind: Kind) -> NodeId {
        let inside = Then::Inside(self.nodes.len() as NodeId);
        self.node(vec![(b"\"".as_slice().into(), inside)], kind)
    }

    /// One of these, if there are any.
    pub(super) fn one_of(&mut self, options: &[NodeId]) -> Option<NodeId> {
        if let [only] = options {
            return Some(*only);
        }
        let lists = options.iter().filter_map(|option| self.nodes.get(*option as usize));
        let entries = lists.filter_map(|node| self.lists.get(node.open as usize)).flatten();
        let entries: Entries = entries.cloned().collect();
        (!entries.is_empty()).then(|| self.node(entries, Kind::Whole))
    }

    fn arguments(&mut self, spec: &ToolSpec) -> Option<NodeId> {
        let root = &spec.parameters;
        let (name, need, source) = ("", Need::Required, Source::Held);
        let held = Place { root, name, need, source, depth: DEPTH };
        let may_be_written = self.values == Values::Written;
        let context = self.context;
        // A tool takes text out where it has a text in the place of one that was seen.
        let replaces = !spec.seen.is_empty();
        let is_edit = replaces && !context.taken_out.is_empty();
        let source = |name: &str| {
            if !context.asks_for(spec, name) {
                Source::Withheld
            } else if is_edit && spec.seen.iter().any(|it| it == name) {
                Source::TakenOut
            } else if is_edit && spec.generated.iter().any(|it| it == name) {
                Source::Left
            } else if spec.generated.iter().any(|it| it == name) {
                let is_put = replaces && !context.takes_out && !may_be_written;
                if is_put { Source::Put } else { Source::Composed }
            } else if spec.grounded.iter().any(|it| it == name) {
                Source::Grounded
            } else if may_be_written {
                Source::Composed
            } else {
                Source::Held
            }
        };
        let joined = if may_be_written { None } else { self.changes(spec) };
        let shapes = self.shapes(root, root);
        let is_object = |it: &&Value| matches!(schema::types(it).as_slice(), [] | ["object"]);
        let shapes = shapes.iter().filter(is_object);
        let all: Vec<_> = shapes.filter_map(|it| self.object(it, held, &source, joined)).collect();
        self.one_of(&all)
    }

    /// What a tool puts in the place of what, where the person says so.
    fn changes<'a>(&mut self, spec: &'a ToolSpec) -> Option<Joined<'a>> {
        let (old, new) = (spec.seen.first()?, spec.generated.first()?);
        let [first, second] = if new < old { [new, old] } else { [old, new] };
        let changes = self.context.changes()?;
        let changes = changes.iter().map(|it| {
            let [one, other] = if new < old { [&it.new, &it.old] } else { [&it.old, &it.new] };
            let [one, name, other] = [one, second, other].map(|it| spaced(&it.as_str().into()));
            format!("{one}, {name}: {other}")
        });
        let changes: Vec<_> = changes.collect();
        Some(Joined { first, second, value: self.whole(changes) })
    }

    /// The plain schemas that one stands for; none where it asks what cannot be seen to.
    pub(super) fn shapes(&mut self, schema: &Value, root: &Value) -> Vec<Value> {
        shapes(schema, root).unwrap_or_else(|reason| {
            self.unwritable.get_or_insert(reason);
            Vec::new()
        })
    }

    /// What fits a schema, but for `null`.
    pub(super) fn value(&mut self, schema: &Value, place: Place<'_>) -> Option<NodeId> {
        let shapes = self.shapes(schema, place.root);
        self.any_of(&shapes, place)
    }

    /// What fits one of some plain schemas, but for `null`.
    pub(super) fn any_of(&mut self, shapes: &[Value], place: Place<'_>) -> Option<NodeId> {
        let place = Place { depth: place.depth.checked_sub(1)?, ..place };
        let all: Vec<_> = shapes.iter().filter_map(|it| self.plain(it, place)).collect();
        self.one_of(&all)
    }

    fn plain(&mut self, schema: &Value, place: Place<'_>) -> Option<NodeId> {
        if self.nodes.len() >= NODES {
            return None;
        }
        if place.source == Source::Withheld {
            let off = Value::Bool(false);
            let named = schema.get("enum").and_then(Value::as_array);
            let is_flag = schema::types(schema).contains(&"boolean")
                && named.is_none_or(|all| all.contains(&off));
            return if is_flag { self.whole([off.to_string()]) } else { None };
        }
        if let Some(all) = schema.get("enum").and_then(Value::as_array) {
            let all = all.iter().filter(|value| !value.is_null() && values::admits(schema, value));
            return self.whole(all.map(spaced));
        }
        let mut types = schema::types(schema);
        if types.is_empty() {
            types = vec!["string", "number", "boolean"];
        }
        // A whole number is a number, too.
        if types.contains(&"number") {
            types.retain(|name| *name != "integer");
        }
        let options: Vec<_> =
            types.into_iter().flat_map(|name| self.typed(name, schema, place)).collect();
        self.one_of(&options)
    }

    fn typed(&mut self, name: &str, schema: &Value, place: Place<'_>) -> Vec<NodeId> {
        let one = match name {
            "string" => return self.string(schema, place),
            "integer" if self.may_compose(place) => self.number(schema, true, place),
            "number" if self.may_compose(place) => self.number(schema, false, place),
            "integer" => self.whole(values::integers(schema, &self.words(place).numbers)),
            "number" => self.whole(values::numbers(schema, &self.words(place).numbers)),
            "boolean" => self.whole(["true".to_owned(), "false".to_owned()]),
            "array" => self.array(schema, place),
            "object" => self.object(schema, place, &|_| place.source, None),
            _ => None,
        };
        one.into_iter().collect()
    }

    /// Whether a number may be one that nobody said: a model that was not taught otherwise reckons.
    fn may_compose(&self, place: Place<'_>) -> bool {
        self.values == Values::Written && place.source == Source::Composed
    }

    /// Any number that fits; where that cannot be seen from how it begins, one of many.
    fn number(&mut self, schema: &Value, is_whole: bool, place: Place<'_>) -> Option<NodeId> {
        let Some(first) = values::first_signs(schema) else {
            let numbers = &self.words(place).numbers;
            let given = match is_whole {
                true => values::integers(schema, numbers),
                false => values::numbers(schema, numbers),
            };
            let grid = values::grid(schema, is_whole);
            return self.whole(given.into_iter().chain(grid).collect::<BTreeSet<_>>());
        };
        let node = self.nodes.len() as NodeId;
        let begin = |byte: u8| Some(([byte].into(), Then::Number(node, Amount::begin(byte)?)));
        let begins = first.iter().filter_map(|it| begin(*it)).collect();
        Some(self.node(begins, Kind::Number { is_whole }))
    }

    fn string(&mut self, schema: &Value, place: Place<'_>) -> Vec<NodeId> {
        let is_composed = matches!(place.source, Source::Composed | Source::Put);
        let clock = clock(schema).filter(|_| !is_composed || schema.get("format").is_some());
        let form = match Form::of(schema) {
            Ok(form) => form,
            Err(reason) => {
                self.unwritable.get_or_insert(reason);
                return Vec::new();
            }
        };
        let Length { least, most } = values::text_bounds(schema);
        if least > most {
            return Vec::new();
        }
        if let Some(clock) = clock {
            let fits =
                form.is_free() && clock.lengths().iter().all(|it| (least..=most).contains(it));
            return if fits { vec![self.day(clock, place)] } else { Vec::new() };
        }
        if let Source::TakenOut | Source::Left = place.source {
            return self.taken_out(schema, place);
        }
        if is_composed && form.is_free() {
            let length = values::text_length(schema);
            let least = length.least.max(u32::from(place.source == Source::Put));
            return vec![self.quoted(Kind::Text(Length { least, ..length }))];
        }
        let declared = self.whole(values::declared(schema, place.need, &form));
        let length = values::span_length(schema);
        let spans = &self.words(place).spans;
        let taken = match form.is_free() {
            false => self.whole(form.matching(spans, length)),
            true if spans.can_go_on(spans.whole(), length) => {
                Some(self.quoted(Kind::Span(length, place.pieces())))
            }
            true => None,
        };
        declared.into_iter().chain(taken).collect()
    }

    /// A piece of the lines that something is to be taken out of; or nothing of them, where that is what stays.
    fn taken_out(&mut self, schema: &Value, place: Place<'_>) -> Vec<NodeId> {
        let piece = self.quoted(Kind::Span(values::span_length(schema), Pieces::TakenOut));
        let nothing = match place.source {
            Source::Left => self.whole(["\"\"".to_owned()]),
            _ => None,
        };
        nothing.into_iter().chain([piece]).collect()
    }

    /// A day that the person speaks of, or that was found where no end of a period is asked for; any where nobody speaks of one.
    fn day(&mut self, clock: Clock, place: Place<'_>) -> NodeId {
        let side = Side::of(place.name);
        let mut days = match (clock, self.values) {
            (Clock::Day, Values::Taken) => self.days.on(side),
            _ => BTreeSet::new(),
        };
        if side == Side::Either && !days.is_empty() {
            days.extend(self.words(place).spans.days());
        }
        self.whole(days).unwrap_or_else(|| self.quoted(Kind::Date(clock)))
    }
}
