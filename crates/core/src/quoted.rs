//! [`Quoted`]: something about to be carried out that stands in a result, in a file that is attached or in
//! files of the project, and that the user never said.
//!
//! What a tool returns and what a file says is data, and whoever wrote it is not the user. A model may be talked into
//! carrying it out all the same; then somebody has to look at it first, whatever was approved
//! beforehand.

use std::fmt;

use serde_json::Value;

use crate::{
    Attachment, AttachmentKind, Author, Conversation, Message, OpaqueCommand, Provenance,
    ResultLocation, Status, ToolMessage, ToolSpec, ValueOrigin,
    conversation::{Edit, WebAddress},
    reworded::Words,
    tool::Text,
    truncate_line,
};

/// Something about to be carried out that the user never said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quoted {
    /// Why somebody has to look at it.
    pub(crate) reason: String,
    /// Where it came from, as far as that is known.
    pub(crate) provenance: Option<Provenance>,
}

/// How much of what is quoted the reason tells.
const SHOWN: usize = 80;

impl Quoted {
    /// The first thing in the parameters declared [`executable`](ToolSpec::executable) that was
    /// returned by a result and not said by the user, be it by changing the call.
    pub(crate) fn find(
        spec: &ToolSpec,
        arguments: &Value,
        edit: Option<&Edit<'_>>,
        conversation: &Conversation,
    ) -> Option<Self> {
        spec.carried_out_texts(arguments).into_iter().find_map(|Text { at: argument, text }| {
            if let Some(address) = address(spec, &argument, &text) {
                return Self::address(&address, &argument, spec, edit, conversation);
            }
            let mut pieces = pieces(&text);
            pieces.retain(|piece| {
                !was_said(piece, conversation) && !edit.is_some_and(|edit| has_typed(edit, piece))
            });
            let quoted = pieces.iter().find_map(|piece| {
                let source = sources(conversation).find(|it| normal(it.text()).contains(piece))?;
                let reason = format!(
                    "`{}` stands in {source}; the user did not say it",
                    truncate_line(piece, SHOWN)
                );
                Some(Self { reason, provenance: source.provenance(&argument) })
            });
            let quoted = quoted.or_else(|| Self::reworded(&text, &argument, &pieces, conversation));
            quoted.or_else(|| {
                let piece = truncate_line(pieces.first()?, SHOWN);
                let reason = untold(&piece, conversation)?;
                Some(Self { reason, provenance: None })
            })
        })
    }
}

impl Quoted {
    /// An address that nobody named but a tool whose results a model may have put together.
    fn address(
        address: &WebAddress,
        argument: &str,
        spec: &ToolSpec,
        edit: Option<&Edit<'_>>,
        conversation: &Conversation,
    ) -> Option<Self> {
        let is_typed = edit.is_some_and(|edit| edit.brings(&|text| address.stands_in(text)));
        if is_typed || address.was_said(conversation) {
            return None;
        }
        if conversation.is_foreign() {
            let reason = "a part of this conversation was not written here, and the user did not \
                          say this address here";
            return Some(Self { reason: reason.to_owned(), provenance: None });
        }
        let is_link = |it: &ToolMessage| spec.link_sources.contains(&it.name);
        if address.results(conversation).any(is_link) {
            return None;
        }
        let source = address.results(conversation).next().map(Source::Result);
        let reason = match &source {
            Some(source) => format!("the address stands in {source}; the user did not say it"),
            None => "the user did not say the address".to_owned(),
        };
        let provenance = source.and_then(|it| it.provenance(argument));
        Some(Self { reason, provenance })
    }

    /// A command that stands in a result with something added to it, or in other words.
    fn reworded(
        text: &str,
        argument: &str,
        pieces: &[String],
        conversation: &Conversation,
    ) -> Option<Self> {
        let words = Words::of(text, pieces)?;
        let mut sources = sources(conversation);
        let (command, source) = sources.find_map(|it| Some((words.stands_in(it.text())?, it)))?;
        let reason = format!(
            "it is much like `{}`, which stands in {source}; the user did not say it",
            truncate_line(&command, SHOWN)
        );
        Some(Self { reason, provenance: source.provenance(argument) })
    }

    /// A part of a call that does not tell what is carried out, and that the user never said.
    pub(crate) fn unseen(
        unseen: &OpaqueCommand,
        edit: Option<&Edit<'_>>,
        conversation: &Conversation,
    ) -> Option<Self> {
        let piece = normal(unseen.part());
        if was_said(&piece, conversation) || edit.is_some_and(|edit| has_typed(edit, &piece)) {
            return None;
        }
        let piece = truncate_line(&piece, SHOWN);
        let reason = match unseen {
            OpaqueCommand::Brought { .. } => format!(
                "`{piece}` runs text that comes from a file or another program, which nobody has \
                 seen; the user did not say it"
            ),
            OpaqueCommand::Unclear { reason, .. } => format!(
                "`{piece}` cannot be understood ({reason}), so nobody can tell what it runs; the \
                 user did not say it"
            ),
        };
        Some(Self { reason, provenance: None })
    }
}

/// The address that a parameter is, where its schema says that it is one.
fn address(spec: &ToolSpec, argument: &str, text: &str) -> Option<WebAddress> {
    let parameter = argument.strip_prefix('/')?.split('/').next()?;
    WebAddress::new(text).filter(|_| spec.is_address(parameter))
}

/// Why nobody can tell where something comes from that the user did not say.
fn untold(piece: &str, conversation: &Conversation) -> Option<String> {
    untold_here(piece, conversation).or_else(|| untold(piece, conversation.outer()?))
}

fn untold_here(piece: &str, conversation: &Conversation) -> Option<String> {
    if conversation.is_foreign() {
        return Some(format!(
            "a part of this conversation was not written here, and the user did not say `{piece}` here"
        ));
    }
    let unread = conversation.messages().iter().flat_map(|it| unread(it)).next();
    if let Some(file) = unread {
        return Some(format!(
            "nobody can tell whether `{piece}` stands in {}, which is attached; the user did not say it",
            file.describe()
        ));
    }
    let digest = conversation.compacted().filter(|digest| !digest.answered.is_empty());
    digest.map(|_| {
        format!(
            "the older part of the conversation was shortened, so nobody can tell whether `{piece}` \
             stood in a result; the user did not say it"
        )
    })
}

/// What is attached to a message and cannot be compared: what a tool returned, or a server put there, that is no
/// text, and a text that is not at hand. A picture that the user chose is not among it.
fn unread(message: &Message) -> impl Iterator<Item = &Attachment> {
    let is_result = matches!(message, Message::Tool(_));
    message.attachments().iter().filter(move |file| match file.kind() {
        AttachmentKind::Text => file.bytes().is_none(),
        _ => is_result || !file.origin.is_person(),
    })
}

/// What stands between commands.
pub(crate) const SEPARATORS: [char; 7] = ['\n', ';', '|', '&', '(', ')', '`'];

/// The parts of a command line that mean something on their own. Roughly: it need not be understood,
/// only recognised. A bare word (`make`) is no instruction that could have been planted.
fn pieces(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = "";
    for part in text.split_inclusive(SEPARATORS) {
        // `open('p.py')` is a function of a language with a file's name.
        let is_called =
            before.strip_suffix('(').is_some_and(|it| it.ends_with(char::is_alphanumeric));
        before = part;
        let piece = normal(part.strip_suffix(SEPARATORS).unwrap_or(part));
        let is_value = is_called && !piece.contains(' ') && !piece.contains("://");
        if piece.contains([' ', '/', '.']) && !is_value {
            found.push(piece);
        }
    }
    found
}

/// The text with every run of blanks as one, and without what a shell takes away: quotes do not make
/// another command of it.
pub(crate) fn normal(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect();
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text has these words in it, and not only as a part of longer ones.
fn has_words(text: &str, words: &str) -> bool {
    let text = normal(text);
    let is_within = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    text.match_indices(words).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let after = rest.get(words.len()..).unwrap_or_default();
        // The end of a sentence is none of the words; `.txt` is.
        let after = after.strip_prefix('.').unwrap_or(after);
        !before.ends_with(is_within) && !after.starts_with(is_within)
    })
}

fn was_said(piece: &str, conversation: &Conversation) -> bool {
    let before = conversation.compacted().into_iter().flat_map(|digest| &digest.said);
    let now = conversation.messages().iter().filter_map(|message| match &**message {
        Message::User(user) if user.origin == Author::Person => Some(&user.content),
        _ => None,
    });
    before.chain(now).any(|text| has_words(text, piece))
        || conversation.edits().any(|edit| has_typed(&edit, piece))
        || conversation.outer().is_some_and(|outer| was_said(piece, outer))
}

fn has_typed(edit: &Edit<'_>, piece: &str) -> bool {
    edit.brings(&|text| has_words(text, piece))
}

/// What somebody else than the user wrote.
enum Source<'a> {
    /// What a tool returned.
    Result(&'a ToolMessage),
    /// A text that is attached.
    File(&'a Attachment, &'a str),
    /// What the model of another agent asks.
    Agent(&'a str),
    /// What files of the project say.
    Project(&'a str),
}

impl Source<'_> {
    fn text(&self) -> &str {
        match self {
            Self::Result(result) => result.outcome.said(),
            Self::File(_, text) | Self::Agent(text) | Self::Project(text) => text,
        }
    }

    fn provenance(&self, argument: &str) -> Option<Provenance> {
        match self {
            Self::Result(result) => {
                let given = ValueOrigin::Result(source(result));
                Some(Provenance { argument: argument.to_owned(), given })
            }
            Self::File(..) | Self::Agent(_) | Self::Project(_) => None,
        }
    }
}

impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Result(result) => write!(f, "a result of `{}`", result.name),
            Self::File(file, _) => match &file.name {
                Some(name) => write!(f, "the attached file `{name}`"),
                None => f.write_str("an attached file"),
            },
            Self::Agent(_) => f.write_str("what another agent asks"),
            Self::Project(_) => f.write_str("the project's instructions"),
        }
    }
}

/// Everything that somebody else than the user wrote, from the last.
fn sources(conversation: &Conversation) -> Box<dyn Iterator<Item = Source<'_>> + '_> {
    let files = conversation.messages().iter().rev().flat_map(|it| it.attachments());
    let files = files.filter_map(|file| Some(Source::File(file, file.text()?)));
    let asked = conversation.messages().iter().rev().filter_map(|message| match &**message {
        Message::User(user) if user.origin == Author::Agent => Some(Source::Agent(&user.content)),
        Message::User(user) if user.origin == Author::Project => {
            Some(Source::Project(&user.content))
        }
        _ => None,
    });
    // What stood before the eyes of whoever asks may stand behind the question in other words.
    let outer = conversation.outer().into_iter().flat_map(sources);
    Box::new(results(conversation).rev().map(Source::Result).chain(files).chain(asked).chain(outer))
}

/// What tools returned. What the runtime says of a call that was denied is no tool's word.
fn results(conversation: &Conversation) -> impl DoubleEndedIterator<Item = &ToolMessage> {
    conversation.results().filter(|it| it.outcome.status != Status::Denied)
}

fn source(result: &ToolMessage) -> ResultLocation {
    ResultLocation { call: result.call.clone(), tool: result.name.clone(), pointer: String::new() }
}
