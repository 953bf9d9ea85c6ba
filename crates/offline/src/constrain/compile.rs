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
    forms::{Form, clock},
    grammar::{Begin, Field, Grammar, Kind, ListId, Node, NodeId, Pieces, Then},
    list::List,
    shapes::{Unwritable, shapes},
    spans::Length,
    text::Amount,
    values,
};
use crate::{
    prompt::spaced,
    schema::{self, required},
};

/// How deep values are nested.
const DEPTH: usize = 6;
/// How many kinds of values one grammar has: a schema may refer to itself many times.
const NODES: usize = 4000;
/// How many items an array has, and a map.
const ITEMS: u32 = 16;

/// Makes a [`Grammar`].
pub(super) struct Compiler<'a> {
    context: &'a Context,
    values: Values,
    nodes: Vec<Node>,
    lists: Vec<Entries>,
    /// What the schema at hand asks that cannot be seen to.
    unwritable: Option<Unwritable>,
}

type Entries = Vec<(Box<[u8]>, Then)>;

/// Where a value stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// What `$ref`s lead into.
    root: &'a Value,
    pub(super) need: Need,
    pub(super) source: Source,
    depth: usize,
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
    /// Nowhere: nobody asked for it.
    Withheld,
}

impl Place<'_> {
    fn pieces(self) -> Pieces {
        match self.source {
            Source::Grounded => Pieces::Ids,
            Source::Held | Source::Composed | Source::Withheld => Pieces::All,
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
    let mut compiler = Compiler { context: &context, values, nodes, lists, unwritable };
    let mut refused = Vec::new();
    let mut calls = Entries::new();
    let is_chosen = |spec: &ToolSpec| match choice {
        ToolChoice::None => false,
        // Whoever names it asks for it.
        ToolChoice::Tool(name) => spec.name == *name,
        ToolChoice::Auto | ToolChoice::Required => context.asks_by(spec),
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
    let Context { all, ids, grounds, .. } = context;
    let (spans, ids) = (all.spans, ids.spans);
    let grounds = (prose == Prose::Grounded).then_some(grounds);
    Grammar { nodes, lists, spans, ids, grounds, calls, more_calls, end_of_call, begin, refused }
}

impl Compiler<'_> {
    /// Where a value's words come from.
    fn words(&self, place: Place<'_>) -> &Words {
        match place.pieces() {
            Pieces::All => &self.context.all,
            Pieces::Ids => &self.context.ids,
        }
    }

    fn list<const N: usize>(&mut self, entries: [(&str, Then); N]) -> ListId {
        self.push(entries.map(|(text, then)| (text.as_bytes().into(), then)).into())
    }

    /// The list, if there is anything in it.
    fn list_of(&mut self, entries: Entries) -> Option<ListId> {
        (!entries.is_empty()).then(|| self.push(entries))
    }

    fn push(&mut self, entries: Entries) -> ListId {
        self.lists.push(entries);
        self.lists.len() as ListId - 1
    }

    fn node(&mut self, entries: Entries, kind: Kind) -> NodeId {
        let open = self.push(entries);
        self.nodes.push(Node { open, kind });
        self.nodes.len() as NodeId - 1
    }

    /// One of these texts, if there are any.
    fn whole(&mut self, texts: impl IntoIterator<Item = String>) -> Option<NodeId> {
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
    fn one_of(&mut self, options: &[NodeId]) -> Option<NodeId> {
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
        let held = Place { root, need: Need::Required, source: Source::Held, depth: DEPTH };
        let may_be_written = self.values == Values::Written;
        let context = self.context;
        let source = |name: &str| {
            if !context.asks_for(spec, name) {
                Source::Withheld
            } else if spec.generated.iter().any(|it| it == name) {
                Source::Composed
            } else if spec.grounded.iter().any(|it| it == name) {
                Source::Grounded
            } else if may_be_written {
                Source::Composed
            } else {
                Source::Held
            }
        };
        let shapes = self.shapes(root, root);
        let is_object = |it: &&Value| matches!(schema::types(it).as_slice(), [] | ["object"]);
        let shapes = shapes.iter().filter(is_object);
        let all: Vec<_> = shapes.filter_map(|it| self.object(it, held, &source)).collect();
        self.one_of(&all)
    }

    /// The plain schemas that one stands for; none where it asks what cannot be seen to.
    fn shapes(&mut self, schema: &Value, root: &Value) -> Vec<Value> {
        shapes(schema, root).unwrap_or_else(|reason| {
            self.unwritable.get_or_insert(reason);
            Vec::new()
        })
    }

    /// What fits a schema, but for `null`.
    fn value(&mut self, schema: &Value, place: Place<'_>) -> Option<NodeId> {
        let shapes = self.shapes(schema, place.root);
        self.any_of(&shapes, place)
    }

    /// What fits one of some plain schemas, but for `null`.
    fn any_of(&mut self, shapes: &[Value], place: Place<'_>) -> Option<NodeId> {
        let place = Place { depth: place.depth.checked_sub(1)?, ..place };
        let all: Vec<_> = shapes.iter().filter_map(|it| self.plain(it, place)).collect();
        self.one_of(&all)
    }

    fn plain(&mut self, schema: &Value, place: Place<'_>) -> Option<NodeId> {
        if self.nodes.len() >= NODES {
            return None;
        }
        if place.source == Source::Withheld {
            let is_flag = schema::types(schema).contains(&"boolean");
            return if is_flag { self.whole(["false".to_owned()]) } else { None };
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
            "object" => self.object(schema, place, &|_| place.source),
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
        let is_composed = place.source == Source::Composed;
        let clock = clock(schema).filter(|_| !is_composed || schema.get("format").is_some());
        let form = match Form::of(schema) {
            Ok(form) => form,
            Err(reason) => {
                self.unwritable.get_or_insert(reason);
                return Vec::new();
            }
        };
        if let Some(clock) = clock {
            let Length { least, most } = values::text_bounds(schema);
            let fits =
                form.is_free() && clock.lengths().iter().all(|it| (least..=most).contains(it));
            return if fits { vec![self.quoted(Kind::Date(clock))] } else { Vec::new() };
        }
        if is_composed && form.is_free() {
            return vec![self.quoted(Kind::Text(values::text_length(schema)))];
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

    fn array(&mut self, schema: &Value, place: Place<'_>) -> Option<NodeId> {
        let count = |key: &str| schema.get(key).and_then(Value::as_u64).map(values::count);
        let least = count("minItems").unwrap_or_default();
        let is_unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        let most = count("maxItems").unwrap_or(ITEMS).min(if is_unique { 1 } else { ITEMS });
        let empty = Value::Object(serde_json::Map::new());
        let items = schema.get("items").unwrap_or(&empty);
        let inner = Place { need: Need::Required, ..place };
        let item =
            if schema.get("prefixItems").is_some() { None } else { self.value(items, inner) };
        let Some(item) = item.filter(|_| most > 0 && least <= most) else {
            return if least == 0 { self.whole(["[]".to_owned()]) } else { None };
        };
        let next = self.list([(", ", Then::NextItem)]);
        let last = self.list([("]", Then::Close)]);
        let either = self.list([(", ", Then::NextItem), ("]", Then::Close)]);
        let open = vec![(b"[".as_slice().into(), Then::FirstItem(self.nodes.len() as NodeId))];
        // An empty list says nothing that leaving it out would not.
        let kind = Kind::Array { item, least: least.max(1), most, next, last, either };
        Some(self.node(open, kind))
    }

    fn object(
        &mut self,
        schema: &Value,
        place: Place<'_>,
        source: &dyn Fn(&str) -> Source,
    ) -> Option<NodeId> {
        let count = |key: &str| schema.get(key).and_then(Value::as_u64).map(values::count);
        let (least, most) = (count("minProperties").unwrap_or(0), count("maxProperties"));
        let fields = values::fields(schema)?;
        if fields.is_empty() {
            return match schema.get("additionalProperties") {
                Some(values @ Value::Object(_)) if most != Some(0) => {
                    self.map(schema, values, place)
                }
                _ if least > 0 => None,
                _ => self.whole(["{}".to_owned()]),
            };
        }
        let mut written = Vec::new();
        for (name, inner) in &fields {
            let need = if required(schema, name) { Need::Required } else { Need::Optional };
            let place = Place { need, source: source(name), ..place };
            match (self.field(inner, place), need) {
                (Some(value), _) => written.push((name, value, need)),
                (None, Need::Optional) => {}
                (None, Need::Required) => return None,
            }
        }
        let written = counted(written, least, most)?;
        Some(self.object_of(&written))
    }

    /// A field's value. `null` is for a field that must be there: leaving another out says the same.
    fn field(&mut self, schema: &Value, place: Place<'_>) -> Option<NodeId> {
        let shapes = self.shapes(schema, place.root);
        let value = self.any_of(&shapes, place);
        if place.need == Need::Optional || !shapes.iter().any(values::is_nullable) {
            return value;
        }
        let null = self.whole(["null".to_owned()]);
        let options: Vec<_> = value.into_iter().chain(null).collect();
        self.one_of(&options)
    }

    /// An object of these fields, in this order.
    fn object_of(&mut self, fields: &[(&String, NodeId, Need)]) -> NodeId {
        let object = self.nodes.len() as NodeId;
        // The keys that may stand next, up to one that must, and the end if there is no such.
        let next = |from: usize, before: &str, end: &str| {
            let mut entries = Entries::new();
            for (at, (name, _, need)) in fields.iter().enumerate().skip(from) {
                let key = format!("{before}{}: ", spaced(&name.as_str().into()));
                entries.push((key.into_bytes().into(), Then::Field(object, at as u32)));
                if *need == Need::Required {
                    return entries;
                }
            }
            entries.push((end.as_bytes().into(), Then::Done));
            entries
        };
        let written = fields.iter().enumerate().map(|(at, (_, value, _))| {
            let after = self.push(next(at + 1, ", ", "}"));
            Field { value: *value, after }
        });
        let written = written.collect();
        self.node(next(0, "{", "{}"), Kind::Object(written))
    }

    fn map(&mut self, schema: &Value, values: &Value, place: Place<'_>) -> Option<NodeId> {
        let count = |key: &str| schema.get(key).and_then(Value::as_u64).map(values::count);
        let is_empty_fine = count("minProperties").is_none_or(|least| least == 0);
        let Some(value) = self.value(values, Place { need: Need::Required, ..place }) else {
            return if is_empty_fine { self.whole(["{}".to_owned()]) } else { None };
        };
        let keys = values::keys(schema, &self.words(place).spans)?;
        let most = count("maxProperties").unwrap_or(ITEMS).min(ITEMS).min(keys.len() as u32);
        if most == 0 || count("minProperties").is_some_and(|least| least > 1) {
            return None;
        }
        let keys = keys
            .into_iter()
            .map(|key| ([key.as_slice(), b"\": "].concat().into_boxed_slice(), Then::Keyed));
        let keys = self.push(keys.collect());
        let next = self.list([(", \"", Then::NextKey), ("}", Then::Close)]);
        let last = self.list([("}", Then::Close)]);
        let open = vec![(b"{\"".as_slice().into(), Then::FirstKey(self.nodes.len() as NodeId))];
        Some(self.node(open, Kind::Map { value, keys, next, last, most }))
    }
}

/// The fields, as many of them as there must and may be: of those that may be left out the first are kept.
fn counted(
    mut fields: Vec<(&String, NodeId, Need)>,
    least: u32,
    most: Option<u32>,
) -> Option<Vec<(&String, NodeId, Need)>> {
    let needed = fields.iter().filter(|(_, _, need)| *need == Need::Required).count();
    let (least, most) = (least as usize, most.map_or(usize::MAX, |it| it as usize));
    if fields.len() < least || needed > most {
        return None;
    }
    let (mut more, mut room) = (least.saturating_sub(needed), most - needed);
    fields.retain_mut(|(_, _, need)| {
        if *need == Need::Required {
            return true;
        }
        if more > 0 {
            (*need, more) = (Need::Required, more - 1);
        }
        let is_kept = room > 0;
        room = room.saturating_sub(1);
        is_kept
    });
    Some(fields)
}
