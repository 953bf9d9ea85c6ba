//! [`Sources`]: everything an answer may rest on, read once into an index.
//!
//! The results that are ok (their text and their data), and what the person typed, be it into a call.
//! What the runtime or the model itself said is no source, nor is what a result only repeats of what the
//! model said to its tool. The instructions are none either: they say how to work, and only the names in
//! them are known.
//!
//! At most [`BUDGET`] bytes are read, the newest messages first. Where there is more, nothing is
//! called unsupported: it may stand in what was not read.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use serde_json::Value;
use toolwright_core::{
    Author, CallId, Conversation, Message, Speaker, Status, ToolCatalog, ToolMessage,
    values::{Leaf, each_leaf, texts},
};

use super::{
    Vocabulary,
    arithmetic::{Operand, Operands},
    calendar::Calendar,
    duration,
    echoes::Echoes,
    figure::Figure,
    lexicon::Lexicon,
    links::{address, host},
    numbers::{Numbers, digits},
    related::stem,
    scan::{Mention, What, scan},
    unit::Unit,
};

/// How much is read: more than any model reads.
const BUDGET: usize = 16 << 20;
/// A number costs at least this much of it.
const NUMBER: usize = 8;
/// Results beyond this many, counted from the newest, are not reckoned with.
const RESULTS: usize = 32;
/// A text of this many lines is a list.
const LISTED: f64 = 3.0;
/// Numbers in words are not looked for in a longer text without digits.
const SPELLED: usize = 4096;
/// Names of fields beyond this many are not counted by.
const COUNTABLE: usize = 1024;
/// Numbers of the person beyond this many are not reckoned with.
const ASKED: usize = 8;

/// Everything an answer may rest on.
pub(super) struct Sources {
    pub(super) numbers: Numbers,
    /// Those that may be in another unit than the answer has.
    pub(super) convertible: Numbers,
    /// How many items, fields or lines there are.
    pub(super) counts: Numbers,
    pub(super) calendar: Calendar,
    pub(super) lexicon: Lexicon,
    /// The numbers of each result with the tool's name, newest first.
    pub(super) operands: Vec<(String, Operands)>,
    /// The same of all results of each tool that answered more than once.
    pub(super) compared: Vec<Operands>,
    /// The numbers in the newest message of the person: beside those of a result, and by themselves.
    pub(super) asked: Vec<Operand>,
    pub(super) typed: Operands,
    /// Whether a result told any value at all.
    pub(super) told: bool,
    /// How many of something the results could tell of, by the names of fields.
    pub(super) countable: HashMap<String, f64>,
    pub(super) echoes: Echoes,
    /// What is known of words, whatever the sources say.
    pub(super) vocabulary: Arc<Vocabulary>,
    /// The call whose result is being read.
    call: Option<CallId>,
    /// The names of fields that were read.
    fields: HashSet<String>,
    left: usize,
    cut: bool,
}

impl Sources {
    /// Reads a conversation.
    pub(super) fn of(
        conversation: &Conversation,
        catalog: &dyn ToolCatalog,
        vocabulary: &Arc<Vocabulary>,
    ) -> Self {
        let messages = conversation.messages().iter().rev();
        let echoes = Echoes::of(conversation, catalog);
        let messages = messages.map(|message| &**message);
        let mut sources = Self::gathered(messages, echoes, vocabulary);
        if let Some(digest) = conversation.compacted() {
            sources.told = true;
            // A day or an id may be named all the same, see `Echoes`.
            let is_amount = |text: &str| text.contains(' ') || text.parse::<f64>().is_ok();
            let told = digest.returned.iter().filter(|it| !it.echoed || !is_amount(&it.value));
            for returned in told {
                sources.text(&returned.value, &mut |_, _| {});
                sources.lexicon.read(&returned.key);
            }
            digest.said.iter().for_each(|said| sources.text(said, &mut |_, _| {}));
            // What the model itself said stands there too, and proves nothing.
            let told = digest.lines.iter().filter(|line| line.speaker != Speaker::Model);
            told.for_each(|line| sources.text(&line.to_string(), &mut |_, _| {}));
        }
        sources.sorted()
    }

    /// Reads messages, the newest of which is the first.
    pub(super) fn read<'m>(
        messages: impl Iterator<Item = &'m Message>,
        vocabulary: &Arc<Vocabulary>,
    ) -> Self {
        Self::gathered(messages, Echoes::default(), vocabulary).sorted()
    }

    /// Makes it ready to be asked.
    fn sorted(mut self) -> Self {
        self.numbers.sort();
        self.convertible.sort();
        self.counts.sort();
        self.calendar.lengths.sort_unstable_by(f64::total_cmp);
        for it in &self.asked {
            self.typed.add(Operand::new(it.value, it.unit, "typed", ""));
        }
        let mut tools: Vec<&str> = self.operands.iter().map(|(tool, _)| tool.as_str()).collect();
        tools.sort_unstable();
        for same in tools.chunk_by(|a, b| a == b).filter(|same| same.len() > 1) {
            let of_tool = |it: &&(String, Operands)| same.first() == Some(&it.0.as_str());
            let mut together = Operands::default();
            for (number, (_, operands)) in self.operands.iter().filter(of_tool).enumerate() {
                together.absorb(operands, number);
            }
            self.compared.push(together);
        }
        self
    }

    fn gathered<'m>(
        messages: impl Iterator<Item = &'m Message>,
        echoes: Echoes,
        vocabulary: &Arc<Vocabulary>,
    ) -> Self {
        let mut sources = Self {
            numbers: Numbers::default(),
            convertible: Numbers::default(),
            counts: Numbers::default(),
            calendar: Calendar::default(),
            lexicon: Lexicon::default(),
            operands: Vec::new(),
            compared: Vec::new(),
            asked: Vec::new(),
            typed: Operands::default(),
            told: false,
            countable: HashMap::new(),
            echoes,
            vocabulary: vocabulary.clone(),
            call: None,
            fields: HashSet::new(),
            left: BUDGET,
            cut: false,
        };
        let mut failed: Vec<&ToolMessage> = Vec::new();
        for message in messages {
            if let Some(typed) = message.edited_arguments() {
                texts(typed).iter().for_each(|text| sources.text(text, &mut |_, _| {}));
            }
            match message {
                Message::System(text) if sources.spend(text.len()) => sources.lexicon.read(text),
                Message::User(user) if user.is_turn() => {
                    let mut asked = Vec::new();
                    let mut add = |value, unit| asked.push(Operand::new(value, unit, "", ""));
                    sources.text(&user.content, &mut add);
                    for text in user.texts().skip(1) {
                        sources.text(text, &mut |_, _| {});
                    }
                    if sources.asked.is_empty() {
                        asked.truncate(ASKED);
                        sources.asked = asked;
                    }
                }
                Message::Tool(result) if result.outcome.status.is_ok() => sources.result(result),
                // It says what the model was not to say.
                Message::Tool(result) if result.outcome.status == Status::Refused => {}
                Message::Tool(result) => failed.push(result),
                Message::Assistant(reply) => {
                    for result in failed.drain(..) {
                        let call = reply.calls.iter().find(|call| call.id == result.call);
                        let arguments = call.map_or("", |call| call.arguments.as_str());
                        sources.failure(result.outcome.said(), arguments);
                    }
                }
                // What a project says of itself can be told.
                Message::User(user) if user.origin == Author::Project => {
                    sources.text(&user.content, &mut |_, _| {});
                }
                Message::User(_) | Message::System(_) => {}
            }
        }
        failed.iter().for_each(|result| sources.failure(result.outcome.said(), ""));
        sources
    }

    /// Reads why a call failed: what the tool says, but nothing that the model had said to it.
    fn failure(&mut self, said: &str, arguments: &str) {
        if !self.spend(said.len()) {
            return;
        }
        self.lexicon.read(said);
        for line in said.lines() {
            scan(line, &mut |mention| {
                if !arguments.contains(mention.text) {
                    self.mention(mention, &mut |_, _| {});
                }
            });
        }
    }

    /// Whether everything was read.
    pub(super) fn is_whole(&self) -> bool {
        !self.cut
    }

    fn result(&mut self, result: &ToolMessage) {
        let mut operands = Operands::default();
        let outcome = &result.outcome;
        let said = outcome.said();
        if said.len() > self.left {
            self.cut = true;
            return;
        }
        self.call = Some(result.call.clone());
        let parsed = serde_json::from_str::<Value>(said);
        if let Some(data) = &outcome.data {
            self.value(data, &mut operands);
        }
        match (&outcome.data, parsed) {
            (None, Ok(value)) => self.value(&value, &mut operands),
            (Some(data), Ok(value)) if *data == value => {}
            // The same numbers once more, in other words: they are not to be added up.
            (Some(_), Ok(value)) => self.value(&value, &mut Operands::default()),
            (Some(_), Err(_)) => self.lines(said, &mut Operands::default()),
            (None, Err(_)) => self.lines(said, &mut operands),
        }
        if let Some(words) = &outcome.words {
            self.lines(words, &mut Operands::default());
        }
        self.call = None;
        self.lexicon.read(&result.name);
        if self.operands.len() < RESULTS {
            self.operands.push((result.name.clone(), operands));
        }
    }

    /// Reads a result that is text.
    fn lines(&mut self, text: &str, operands: &mut Operands) {
        let mut count = 0.0;
        for (number, line) in text.lines().enumerate() {
            let place = format!("{number}/");
            let mut add = |value, unit| operands.add(Operand::new(value, unit, "", &place));
            self.text(line, &mut add);
            count += if line.trim().is_empty() { 0.0 } else { 1.0 };
        }
        self.told |= count >= LISTED;
        // A list in a text: as many as there are lines, or one less for its title.
        self.counts.add_open(count);
        self.counts.add_open((count - 1.0).max(0.0));
    }

    /// Reads a result that is data.
    fn value(&mut self, value: &Value, operands: &mut Operands) {
        self.shape(value, "");
        each_leaf(value, &mut |leaf| match leaf {
            Leaf::Key { name, .. } => self.text(name, &mut |_, _| {}),
            Leaf::Scalar { key, value: Value::String(text), pointer } => {
                // "2 days ago" is no number to reckon with, "24.5" is.
                let is_number = !text.contains(|c: char| c.is_alphabetic());
                self.text(text, &mut |value, unit| {
                    if is_number {
                        operands.add(Operand::new(value, unit, key, pointer));
                    }
                });
            }
            Leaf::Scalar { key, value: Value::Number(number), pointer } => {
                let Some(value) = number.as_f64().filter(|_| self.spend(NUMBER)) else { return };
                if self.call.as_ref().is_some_and(|call| self.echoes.has_number(call, value)) {
                    return;
                }
                self.told = true;
                self.numbers.add(value);
                self.convertible.add(value);
                self.calendar.add_number(value);
                operands.add(Operand::new(value, Unit::Bare, key, pointer));
                if value.abs() >= 1e8 {
                    // Long enough to be an id, which is looked up as it is spelled.
                    leaf.canonical().iter().for_each(|id| self.lexicon.add_id(id));
                }
            }
            Leaf::Scalar { .. } => {}
        });
    }

    /// Reads what is around the values: how many there are, and the names of fields.
    fn shape(&mut self, value: &Value, key: &str) {
        match value {
            Value::Array(items) => {
                self.told |= !items.is_empty();
                self.counts.add_open(items.len() as f64);
                self.count(key, items.len() as f64);
                items.iter().for_each(|item| self.shape(item, ""));
            }
            Value::Number(number) => self.count(key, number.as_f64().unwrap_or_default()),
            Value::Object(map) => {
                self.counts.add_open(map.len() as f64);
                for (key, inner) in map {
                    if !self.fields.contains(key) {
                        self.fields.insert(key.clone());
                        // `usd_24h_change`: a name made of words.
                        self.text(&key.replace('_', " "), &mut |_, _| {});
                    }
                    self.shape(inner, key);
                }
            }
            _ => {}
        }
    }

    /// Adds to how many there are of what a field is named after.
    fn count(&mut self, key: &str, many: f64) {
        if !key.is_empty() && (self.countable.len() < COUNTABLE || self.countable.contains_key(key))
        {
            let last = key.rsplit('_').next().unwrap_or_default();
            *self.countable.entry(stem(last)).or_default() += many.abs();
        }
    }

    fn spend(&mut self, bytes: usize) -> bool {
        self.cut |= bytes > self.left;
        self.left = if self.cut { 0 } else { self.left - bytes };
        !self.cut
    }

    /// Reads a text; its numbers are handed on too.
    fn text(&mut self, text: &str, number: &mut dyn FnMut(f64, Unit)) {
        if !self.spend(text.len()) {
            return;
        }
        self.lexicon.read(text);
        // A long text is not searched for numbers in words.
        if text.len() > SPELLED && !text.contains(char::is_numeric) {
            return;
        }
        let text = digits(text);
        text.lines().for_each(|line| scan(line, &mut |mention| self.mention(mention, number)));
    }

    fn mention(&mut self, mention: Mention<'_>, number: &mut dyn FnMut(f64, Unit)) {
        if let Some(call) = &self.call {
            if self.echoes.has(call, &mention) {
                return;
            }
            self.told |= !matches!(mention.what, What::Spelled(_));
        }
        match mention.what {
            What::Spelled(figure) => self.numbers.add_figure(&figure),
            What::Figure(figure) | What::Described(figure) => self.figure(&figure, number),
            What::Moment(moment) => {
                self.calendar.add(&moment);
                // "On the 25th", and days in other languages.
                let days = moment.dates.iter().filter_map(|it| it.day);
                days.for_each(|day| self.numbers.add_open(f64::from(day)));
            }
            What::Id => {
                self.calendar.lengths.extend(duration::iso(mention.text));
                if let Ok(value) = mention.text.parse() {
                    self.numbers.add_open(value);
                    self.calendar.add_number(value);
                }
                self.numbers_of_version(mention.text);
                if let Some(address) = address(mention.text) {
                    self.lexicon.add_id(host(&address));
                }
                self.lexicon.add_id(mention.text);
            }
        }
    }

    /// `1.14.2` is a `1.14`, too.
    fn numbers_of_version(&mut self, id: &str) {
        let bare = id.trim_start_matches(['v', 'V']);
        let (major, rest) = bare.split_once('.').unwrap_or_default();
        let (minor, patch) = rest.split_once(['.', '-']).unwrap_or_default();
        let digits = |it: &str| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit());
        if digits(major) && digits(minor) && !patch.is_empty() {
            let short = format!("{major}.{minor}");
            if let Ok(value) = short.parse() {
                self.numbers.add_open(value);
            }
            self.lexicon.add_id(&short);
        }
    }

    fn figure(&mut self, figure: &Figure, number: &mut dyn FnMut(f64, Unit)) {
        self.numbers.add_figure(figure);
        if !matches!(figure.unit, Unit::Percent | Unit::Currency | Unit::Seconds(_)) {
            self.convertible.add_figure(figure);
        }
        if let Some(year) = figure.year() {
            self.numbers.add_open(f64::from(year));
        }
        if let Some(reading) = figure.readings.first() {
            self.calendar.add_number(reading.value);
            if let Unit::Seconds(each) = figure.unit {
                self.calendar.lengths.push(reading.value * each);
            }
            number(reading.value, figure.unit);
        }
    }
}
