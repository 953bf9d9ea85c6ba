//! Calls in pieces: whatever a server leaves out or says again, and wherever it cuts, the calls are
//! the same.

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use toolwright_core::{Call, ModelResponse};
use toolwright_testkit as testkit;

use crate::support::{DONE, delta, in_runtime, served, stopped};

/// How a server tells which call a piece is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Index {
    Counted,
    Text,
    Absent,
    Null,
    AlwaysZero,
    OnlyFirst,
}

/// Where a call's id stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Id {
    First,
    /// With the second piece.
    Late,
    /// Behind the arguments, alone.
    Last,
    /// With every piece.
    Repeated,
    /// With the first, and emptied in all others.
    Emptied,
    Never,
    /// Alone, before anything else.
    Before,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    First,
    /// In two pieces.
    Split,
    /// With every piece.
    Repeated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arguments {
    /// In pieces of so many letters.
    Cut(usize),
    /// In pieces, and nothing of them with the name.
    Behind(usize),
    /// All so far with every piece.
    Cumulative(usize),
    /// As an object.
    Object,
}

#[derive(Clone, Copy, Debug)]
struct Server {
    index: Index,
    id: Id,
    name: Name,
    arguments: Arguments,
}

fn servers() -> impl Strategy<Value = Server> {
    use Index::{Absent, AlwaysZero, Counted, Null, OnlyFirst, Text};
    let index = select(vec![Counted, Text, Absent, Null, AlwaysZero, OnlyFirst]);
    let id = select(vec![
        Id::First,
        Id::Late,
        Id::Last,
        Id::Repeated,
        Id::Emptied,
        Id::Never,
        Id::Before,
    ]);
    let name = select(vec![Name::First, Name::Split, Name::Repeated]);
    let arguments = prop_oneof![
        (1_usize..9).prop_map(Arguments::Cut),
        (1_usize..9).prop_map(Arguments::Behind),
        (1_usize..9).prop_map(Arguments::Cumulative),
        Just(Arguments::Object),
    ];
    (index, id, name, arguments).prop_map(|(index, id, name, arguments)| Server {
        index,
        id,
        name,
        arguments,
    })
}

/// Tools and arguments: short, so that the same come side by side.
fn calls() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    let name = select(vec!["get_weather", "get_", "note", "list_all"]);
    let value = prop_oneof![
        Just(json!({})),
        (0_u8..4).prop_map(|n| json!({"n": n})),
        (0_u8..4).prop_map(|n| json!({"q": "} {\"x\": [\\", "n": {"n": [n, {}]}})),
    ];
    vec((name, value.prop_map(|it| it.to_string())), 1..5)
}

impl Server {
    /// The deltas in which this server sends a call.
    fn sends(self, at: usize, id: &str, name: &str, arguments: &str) -> Vec<Value> {
        let letters: Vec<char> = arguments.chars().collect();
        let cut = |size: usize| -> Vec<String> {
            letters.chunks(size).map(|piece| piece.iter().collect()).collect()
        };
        let mut sent: Vec<Value> = match self.arguments {
            Arguments::Object => vec![serde_json::from_str(arguments).unwrap()],
            Arguments::Cut(size) => cut(size).into_iter().map(Value::from).collect(),
            Arguments::Behind(size) => {
                let behind = cut(size).into_iter().map(Value::from);
                [json!("")].into_iter().chain(behind).collect()
            }
            Arguments::Cumulative(size) => {
                let ends =
                    (1..=letters.len()).filter(|end| end % size == 0 || *end == letters.len());
                ends.map(|end| letters[..end].iter().collect::<String>().into()).collect()
            }
        };
        let mut names = vec![name];
        if self.name == Name::Split {
            let (first, second) = name.split_at(2);
            names = vec![first, second];
            sent.insert(0, Value::Null);
        }
        let mut pieces: Vec<Value> = sent
            .into_iter()
            .enumerate()
            .map(|(place, arguments)| {
                let name =
                    names.get(place).or(names.last().filter(|_| self.name == Name::Repeated));
                let mut function = json!({});
                if let Some(name) = name {
                    function["name"] = json!(name);
                }
                if !arguments.is_null() {
                    function["arguments"] = arguments;
                }
                json!({"type": "function", "function": function})
            })
            .collect();
        match self.id {
            Id::Before => pieces.insert(0, json!({"id": id})),
            Id::Last => pieces.push(json!({"id": id})),
            Id::Late if pieces.len() == 1 => pieces.push(json!({"id": id})),
            _ => {}
        }
        for (place, piece) in pieces.iter_mut().enumerate() {
            match (self.id, place) {
                (Id::First | Id::Emptied, 0) | (Id::Late, 1) | (Id::Repeated, _) => {
                    piece["id"] = json!(id);
                }
                (Id::Emptied, _) => piece["id"] = json!(""),
                _ => {}
            }
            match self.index {
                Index::Counted => piece["index"] = json!(at),
                Index::Text => piece["index"] = json!(at.to_string()),
                Index::Null => piece["index"] = Value::Null,
                Index::AlwaysZero => piece["index"] = json!(0),
                Index::OnlyFirst if place == 0 => piece["index"] = json!(at),
                Index::OnlyFirst | Index::Absent => {}
            }
        }
        pieces
    }

    /// Whether nobody could tell: nothing says that the next call is not the last one once more.
    fn is_ambiguous(self, calls: &[(&str, String)]) -> bool {
        let counted = matches!(self.index, Index::Counted | Index::Text);
        let same = calls.windows(2).any(|pair| pair[0] == pair[1]);
        let same_tool = calls.windows(2).any(|pair| pair[0].0 == pair[1].0);
        // A call that comes whole with its name is told from the last one by what it brings alone;
        // and one whose arguments begin with all of the last ones may be all of them so far.
        let identified = matches!(self.id, Id::First | Id::Repeated | Id::Emptied)
            || self.id == Id::Before && matches!(self.index, Index::Absent | Index::Null);
        let cumulative = matches!(self.arguments, Arguments::Cumulative(_));
        !counted && !identified && (same || same_tool && cumulative)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn a_servers_habits_make_no_difference(server in servers(), calls in calls()) {
        prop_assume!(!server.is_ambiguous(&calls));
        let ids: Vec<_> = (0..calls.len()).map(|at| format!("call_{at}")).collect();
        let mut events = String::new();
        for (at, (name, arguments)) in calls.iter().enumerate() {
            for piece in server.sends(at, &ids[at], name, arguments) {
                events.push_str(&delta(json!({"tool_calls": [piece]})));
            }
        }
        let events = events + &stopped("tool_calls") + DONE;
        let wanted = calls.iter().zip(&ids).map(|((name, arguments), id)| {
            let id = if server.id == Id::Never { "" } else { id.as_str() };
            Call::new(id, *name, arguments.clone())
        });
        let wanted = ModelResponse::calls(wanted);
        let heard = in_runtime(served(testkit::Reply::raw_sse(events.clone()), true));
        prop_assert_eq!(heard.end, Ok(wanted), "{}", events);
    }
}
