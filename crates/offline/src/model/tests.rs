//! What is written does not depend on how it is read, by whom else, or what was kept.

use std::{fs, iter, slice, sync::Arc, sync::mpsc, thread, time::Duration};

use futures_util::StreamExt as _;
use serde_json::json;
use toolwright_core::{
    Conversation, Message, Model as _, ModelDelta, ModelRequest, RequestCache, ToolChoice,
    ToolDefinitions, ToolGroup, ToolSpec, Usage,
};

use super::{
    decoder::Decoder, draft::Draft, prefixes::Prefixes, sessions::Sessions, turns::Turns,
    writer::Writer,
};
use crate::{
    constrain::{Constraint, Context, Lexicon, Prose, Style},
    engine::{Llama, tests::families::tiny},
    tokens::Tokenizer,
};

/// A small model that says nothing sensible.
struct World {
    model: Llama,
    tokenizer: Arc<Tokenizer>,
    lexicon: Arc<Lexicon>,
    turns: Turns,
}

impl World {
    fn new() -> Self {
        let (model, tokenizer) = tiny();
        let lexicon = Arc::new(Lexicon::new(tokenizer.clone()));
        Self { model, tokenizer, lexicon, turns: Turns::new() }
    }

    fn constraint(&self, said: &str, choice: &ToolChoice, prose: Prose) -> Constraint {
        let parameters = json!({
            "type": "object",
            "properties": {
                "place": {"type": "string"},
                "unit": {"enum": ["celsius", "fahrenheit"]},
                "days": {"type": "integer"},
            },
            "required": ["place", "unit", "days"],
        });
        let tool = Arc::new(ToolSpec::new("weather", "Tells the weather.", parameters));
        let context = Context::new(&[said.to_owned()], &[]);
        let style = Style { prose, ..Style::default() };
        Constraint::new(self.lexicon.clone(), &[tool], context, choice, style)
    }

    /// What is written after a prompt, and how much of it was foreseen.
    fn written(&self, case: &Case, draft: Draft) -> (Vec<u32>, usize) {
        let prompt = self.tokenizer.encode(&case.said);
        let mut constraint = self.constraint(&case.said, &case.choice, case.prose);
        let mut session = self.model.session();
        let mut decoder =
            Decoder::new(&mut session, &mut constraint, &self.tokenizer, &self.turns, draft);
        assert_eq!(decoder.read(&prompt, &|| true).unwrap(), Some(prompt.len()));
        let mut written = Vec::new();
        while written.len() < 90 {
            let tokens = decoder.next(&|| true).unwrap().unwrap();
            if tokens.is_empty() || decoder.is_finished() {
                break;
            }
            written.extend(tokens);
        }
        (written, decoder.foreseen())
    }
}

struct Case {
    said: String,
    choice: ToolChoice,
    prose: Prose,
}

fn cases() -> impl Iterator<Item = Case> {
    let mut random = fastrand::Rng::with_seed(11);
    (0..40).map(move |index| {
        let words = ["the", "in", "Oslo", "12", "123", "it's", "Rome", "warm", "3", "days,"];
        let said: Vec<_> = (0..random.usize(3..30)).map(|_| words[random.usize(..10)]).collect();
        let choice = if index % 2 == 0 { ToolChoice::None } else { ToolChoice::Required };
        let prose = if index % 4 < 2 { Prose::Free } else { Prose::Grounded };
        Case { said: said.join(" "), choice, prose }
    })
}

#[test]
fn what_is_foreseen_changes_nothing() {
    let (world, mut foreseen) = (World::new(), 0);
    for case in cases() {
        let (expected, none) = world.written(&case, Draft::off());
        let (written, some) = world.written(&case, Draft::default());
        assert_eq!(
            world.tokenizer.decode(&written),
            world.tokenizer.decode(&expected),
            "{}",
            case.said
        );
        assert_eq!((written, none), (expected, 0));
        foreseen += some;
    }
    assert!(foreseen > 50, "{foreseen}: nothing was tried");
}

#[test]
fn a_call_is_begun_where_it_is_about_as_likely_as_words() {
    let world = World::new();
    let said = "the weather in Oslo, celsius, 3 days";
    let begins = |choice: &ToolChoice, lean: Option<f32>| {
        let prompt = world.tokenizer.encode(said);
        let mut constraint = world.constraint(said, choice, Prose::Free);
        let mut session = world.model.session();
        let draft = Draft::default();
        let decoder =
            Decoder::new(&mut session, &mut constraint, &world.tokenizer, &world.turns, draft);
        let mut decoder = decoder.leaning(lean);
        decoder.read(&prompt, &|| true).unwrap();
        let first = decoder.next(&|| true).unwrap().unwrap();
        world.tokenizer.decode(&first)
    };
    // What a model says that knows nothing is anything but a call, and never far from one.
    let either = |lean| begins(&ToolChoice::Auto, lean);
    assert!(!either(None).starts_with('<'), "{}", either(None));
    assert_eq!(either(Some(0.0)), either(None));
    assert!(either(Some(1000.0)).starts_with('<'), "{}", either(Some(1000.0)));
    // Where a call is wanted, nothing else is weighed against it.
    let wanted = begins(&ToolChoice::Required, Some(-1000.0));
    assert!(wanted.starts_with('<'), "{wanted}");
}

#[test]
fn one_reply_is_begun_before_another_one_ends() {
    let world = World::new();
    let cases: Vec<_> = cases().take(8).step_by(4).collect();
    let alone: Vec<_> = cases.iter().map(|it| world.written(it, Draft::default()).0).collect();
    assert!(alone.iter().all(|it| it.len() > 2), "{alone:?}");
    let (begun, begins) = mpsc::channel();
    thread::scope(|scope| {
        let (world, cases) = (&world, &cases);
        let first = scope.spawn(move || {
            let prompt = world.tokenizer.encode(&cases[0].said);
            let case = &cases[0];
            let mut constraint = world.constraint(&case.said, &case.choice, case.prose);
            let mut session = world.model.session();
            let mut decoder = Decoder::new(
                &mut session,
                &mut constraint,
                &world.tokenizer,
                &world.turns,
                Draft::default(),
            );
            decoder.read(&prompt, &|| true).unwrap();
            let mut written = decoder.next(&|| true).unwrap().unwrap();
            // The other one has its turn now, though this one is not done.
            begins.recv_timeout(Duration::from_secs(120)).unwrap();
            while written.len() < 90 {
                let tokens = decoder.next(&|| true).unwrap().unwrap();
                if tokens.is_empty() || decoder.is_finished() {
                    break;
                }
                written.extend(tokens);
            }
            written
        });
        let second = world.written(&cases[1], Draft::default()).0;
        begun.send(()).unwrap();
        assert_eq!(second, alone[1]);
        assert_eq!(first.join().unwrap(), alone[0]);
    });
}

#[test]
fn what_conversations_begin_with_is_kept() {
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("models/prefixes");
    let prefixes = Prefixes::new(at.clone(), &[b"weights", b"adapter"]);
    let text = "You call tools. ".repeat(20);
    let tokens = world.tokenizer.encode(&text);
    assert!(prefixes.find(&world.model, &tokens).is_none());
    let mut session = world.model.session();
    session.advance(&tokens, &|| true).unwrap();
    assert!(prefixes.is_new(&tokens));
    prefixes.keep(&session);
    assert!(!prefixes.is_new(&tokens));
    let mut found = prefixes.find(&world.model, &tokens).unwrap();
    assert_eq!(found.tokens(), tokens);
    for session in [&mut session, &mut found] {
        session.push(&[1, 2, 3], &|| true).unwrap();
    }
    assert_eq!(found.logits().unwrap(), session.logits().unwrap());
    // Of other weights, or other tokens.
    let other = Prefixes::new(at.clone(), &[b"weights", b"another adapter"]);
    assert!(other.find(&world.model, &tokens).is_none());
    assert!(prefixes.find(&world.model, &tokens[1..]).is_none());
    // A few tokens are no use.
    let mut few = world.model.session();
    few.advance(&tokens[..20], &|| true).unwrap();
    prefixes.keep(&few);
    let files = || fs::read_dir(&at).unwrap().map(|it| it.unwrap().path()).collect::<Vec<_>>();
    let [file] = &files()[..] else { panic!("{:?}", files()) };
    // Cut off, and of other bytes: not used, and gone.
    let whole = fs::read(file).unwrap();
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    for damaged in [&whole[..whole.len() - 2], &whole[..10], &changed, b""] {
        fs::write(file, damaged).unwrap();
        assert!(prefixes.find(&world.model, &tokens).is_none());
    }
}

#[test]
fn no_more_is_kept_than_there_is_room_for() {
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let prefixes = Prefixes::new(folder.path().to_owned(), &[]);
    let tokens = |seed: u32| (0..70).map(|it| (it * 7 + seed) % 250).collect::<Vec<_>>();
    let keep = |seed: u32| {
        let mut session = world.model.session();
        session.advance(&tokens(seed), &|| true).unwrap();
        prefixes.keep(&session);
    };
    (0..8).for_each(keep);
    // Used again: not the oldest any more. What is no file of ours stays.
    assert!(prefixes.find(&world.model, &tokens(0)).is_some());
    fs::write(folder.path().join("README"), "").unwrap();
    (8..11).for_each(keep);
    let kept: Vec<_> = (0..11).filter(|seed| !prefixes.is_new(&tokens(*seed))).collect();
    assert_eq!(kept, [0, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 9);
}

#[test]
fn what_is_about_to_be_read_has_its_place() {
    let world = World::new();
    let mut sessions = Sessions::new(world.model.clone());
    // Each begins in a way of its own.
    let tokens = |first: u32, many| iter::once(first).chain(0..many).collect::<Vec<_>>();
    let read = |sessions: &mut Sessions, tokens: &[u32]| {
        let mut session = sessions.take(tokens);
        session.advance(tokens, &|| true).unwrap();
        sessions.put(session);
    };
    (100..104).for_each(|first| read(&mut sessions, &tokens(first, 200)));
    assert!((100..104).all(|first| sessions.shared(&tokens(first, 200)) == 201));
    // What goes on from one of them has only its end to itself.
    let further = [tokens(103, 200), vec![7; 40]].concat();
    read(&mut sessions, &further);
    let kept = |sessions: &Sessions| {
        (100..104).filter(|it| sessions.shared(&tokens(*it, 200)) == 201).collect::<Vec<_>>()
    };
    assert_eq!(kept(&sessions), [100, 101, 102, 103]);
    // Before something long is read, what was used least lately makes room for it.
    let session = sessions.take(&[9; 1400]);
    assert_eq!((session.tokens().len(), kept(&sessions)), (0, vec![102, 103]));
    sessions.take(&[9; 2100]);
    assert!(kept(&sessions).is_empty());
}

#[test]
fn a_folder_that_cannot_be_used_does_not_matter() {
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let prefixes = Prefixes::new(file.join("prefixes"), &[]);
    let tokens: Vec<u32> = (0..70).collect();
    let mut session = world.model.session();
    session.advance(&tokens, &|| true).unwrap();
    prefixes.keep(&session);
    assert!(prefixes.find(&world.model, &tokens).is_none());
}

/// A tool of a group.
fn grouped(name: &str, group: &str) -> Arc<ToolSpec> {
    let spec = ToolSpec::new(name, "Tells of it, whoever asks.", json!({"type": "object"}));
    Arc::new(spec.group(Arc::new(ToolGroup::new(group, ""))))
}

/// What a question cost.
async fn asked(writer: &Writer, tools: &[Arc<ToolSpec>]) -> Usage {
    let mut conversation = Conversation::new();
    conversation.push(Message::user("hello"));
    let (tools, memo) = (ToolDefinitions::new(tools.to_vec()), &mut RequestCache::default());
    let request = ModelRequest::new(&conversation, &tools, memo).choice(ToolChoice::Required);
    let parts = writer.call(request).map(Result::unwrap).collect::<Vec<_>>().await;
    let Some(ModelDelta::Response(reply)) = parts.into_iter().next_back() else {
        panic!("no reply")
    };
    reply.usage
}

#[tokio::test]
async fn what_conversations_begin_with_is_read_before_anybody_asks() {
    let (model, tokenizer) = tiny();
    let folder = tempfile::tempdir().unwrap();
    let prefixes = Prefixes::new(folder.path().to_owned(), &[]);
    // Each has read nothing yet, as a process that was just started.
    let writer = || {
        let writer = Writer::new(
            "tiny",
            model.clone(),
            tokenizer.clone(),
            None,
            Arc::new(|| "2026-11-18".parse().ok()),
        );
        writer.with_prefixes(prefixes.clone())
    };
    let kept = || fs::read_dir(folder.path()).unwrap().count();
    let (sea, air, land) = (grouped("sea", "one"), grouped("air", "one"), grouped("land", "two"));
    let one = [sea, air];
    assert!(writer().prepare(&ToolDefinitions::new(one.to_vec())).await);
    assert_eq!(kept(), 1);
    assert!(asked(&writer(), &one).await.cached_tokens > 64);
    // What stands behind it is read, and not kept.
    let both = [one.as_slice(), slice::from_ref(&land)].concat();
    assert!(asked(&writer(), &both).await.cached_tokens > 64);
    assert_eq!(kept(), 1);
    assert_eq!(asked(&writer(), &[land]).await.cached_tokens, 0);
}
