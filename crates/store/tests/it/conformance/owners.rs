//! Several people, one log: nobody sees, counts, finds or changes what is another's.

use toolwright_core::{
    Attachment, BranchPoint, ConversationId, Digest, MessageId, QueueMode, QueuedMessage, RunId,
    Timestamp, UserMessage,
};
use toolwright_store::{
    ConversationPage, Grant, GrantKind, Instruction, KeyClaim, KeyState, Store, StoreError,
    Withdrawal,
};

use super::on_both;
use crate::common::{
    place::Place,
    talk::{Talk, keep_in, stored},
};

on_both!(
    nobody_sees_or_changes_what_is_anothers,
    an_import_says_nothing_about_what_others_have,
    what_begins_belongs_to_whoever_began_it,
    what_lets_people_in_is_used_once_and_ends,
);

const ALL: ConversationPage = ConversationPage { before: None, limit: 1_000 };
const BYTES: &[u8] = b"the same bytes, whoever attaches them";

/// One of those who share the log.
struct Person {
    store: Store,
    talks: Vec<Talk>,
}

impl Person {
    /// Everything they see.
    async fn sees(&self) -> String {
        let list = self.store.list(&ALL).await.expect("a list");
        let mut all = format!("{list:?}");
        for summary in &list {
            let queued = self.store.queued(&summary.id).await.expect("what waits");
            let attached = self.store.attachment(&summary.id, &Digest::of(BYTES)).await;
            let events = stored(&self.store, &summary.id).await;
            all += &format!("{queued:?}{events:?}{:?}", attached.map(|it| it.is_some()));
        }
        let usage = self.store.usage(Timestamp(0), 0).await.expect("the usage");
        let found = self.store.search("bread", 1_000).await.expect("a search");
        all + &format!("{usage:?}{found:?}")
    }

    fn has(&self, id: &ConversationId) -> bool {
        self.talks.iter().any(|talk| talk.id == *id)
    }
}

fn message(name: &str) -> QueuedMessage {
    let attachment = Attachment::new(BYTES, None, Some("note.txt")).expect("a text");
    let message = UserMessage::new("more bread").with_attachment(attachment);
    let id = MessageId::from(name);
    QueuedMessage { id, mode: QueueMode::Next, at: Timestamp(1), message }
}

/// Tries everything there is on a conversation that is not theirs.
async fn try_everything(person: &Person, other: &Talk, events: &[toolwright_core::Event]) {
    let (store, id) = (&person.store, &other.id);
    let run = events.first().map_or_else(|| RunId::from("run"), |event| event.run.clone());
    let gone = StoreError::NotFound(id.to_string());
    assert_eq!(store.acquire(id).await.err().as_ref(), Some(&gone), "acquire");
    assert_eq!(store.seize(id).await.err().as_ref(), Some(&gone), "seize");
    assert_eq!(store.find(id.as_str()).await.as_ref(), Err(&gone), "find");
    assert_eq!(store.events(id, None, 10).await.err().as_ref(), Some(&gone), "events");
    assert_eq!(store.rename(id, "mine").await.as_ref(), Err(&gone), "rename");
    assert_eq!(store.delete(id).await.as_ref(), Err(&gone), "delete");
    assert_eq!(store.runs(id).await.err().as_ref(), Some(&gone), "runs");
    assert_eq!(store.round(id, &run, 0).await.err().as_ref(), Some(&gone), "round");
    assert_eq!(store.question(id, &run).await, Ok(None), "question");
    assert_eq!(store.queue(id, message("theirs")).await.as_ref(), Err(&gone), "queue");
    assert_eq!(store.queued(id).await, Ok(Vec::new()), "queued");
    let withdrawn = store.withdraw(id, &"waits".into()).await;
    assert_eq!(withdrawn, Ok(Withdrawal::Unknown), "withdraw");
    assert_eq!(store.attachment(id, &Digest::of(BYTES)).await, Ok(None), "attachment");
    let into = ConversationId::from("stolen");
    let forked = store.fork(id, Some(&BranchPoint::Start), &into, || "stolen".into()).await;
    assert_eq!(forked.as_ref(), Err(&gone), "fork");
    assert!(store.open_run(id).await.expect("it can be read").is_none(), "open run");
    let instructed = store.instruct(id, &run, &Instruction::Stop).await;
    assert_eq!(instructed.err().as_ref(), Some(&gone), "instruct");
    assert!(store.instructions(id, &run).await.expect("they can be read").is_empty());
    assert_eq!(store.put_spec(id, &"other".into(), b"x").await.as_ref(), Err(&gone), "put spec");
    assert_eq!(store.spec(id, &run).await, Ok(None), "spec");
}

async fn nobody_sees_or_changes_what_is_anothers(place: Place) {
    let all = place.open().await;
    let mut people: Vec<Person> = ["user:ann", "user:bob"]
        .map(|owner| Person { store: all.of(owner), talks: Vec::new() })
        .into();
    let mut random = fastrand::Rng::with_seed(fastrand::u64(..));
    println!("seed {}", random.get_seed());
    for step in 0..60 {
        let who = random.usize(..2);
        let before = people[1 - who].sees().await;
        match random.u8(..6) {
            0 | 1 => {
                // Both begin with the same letters: a part of an id leads to one's own alone.
                let mut talk = Talk::new(&format!("talk-{step:02}"));
                let reports = talk.ask("Is there bread?", &["yes"], "There is bread.");
                keep_in(&people[who].store, &talk, &reports).await;
                people[who].talks.push(talk);
            }
            2 => {
                let Person { store, talks } = &mut people[who];
                let Some(talk) = random.choice(talks.iter_mut()) else { continue };
                let reports = talk.chat("And butter?", "That, too.");
                keep_in(store, talk, &reports).await;
                store.queue(&talk.id, message(&format!("waits-{step}"))).await.expect("theirs");
                store.rename(&talk.id, &format!("Name {step}")).await.expect("theirs");
            }
            3 => {
                let Person { store, talks } = &mut people[who];
                if talks.is_empty() {
                    continue;
                }
                let talk = talks.remove(random.usize(..talks.len()));
                store.delete(&talk.id).await.expect("theirs");
            }
            4 => {
                let Person { store, talks } = &people[who];
                let Some(talk) = random.choice(talks) else { continue };
                let into = ConversationId::from(format!("fork-{step:02}"));
                let name = || RunId::from(format!("{}-{}", into, fastrand::u64(..)));
                store.fork(&talk.id, None, &into, name).await.expect("theirs");
                let copy = Talk::new(into.as_str());
                people[who].talks.push(copy);
            }
            _ => {
                let Some(talk) = random.choice(&people[1 - who].talks) else { continue };
                let events = stored(&all, &talk.id).await;
                try_everything(&people[who], talk, &events).await;
            }
        }
        assert_eq!(people[1 - who].sees().await, before, "step {step}");
        for person in &people {
            let list = person.store.list(&ALL).await.expect("a list");
            assert_eq!(list.len(), person.talks.len(), "step {step}");
            assert!(list.iter().all(|it| person.has(&it.id)), "step {step}: {list:?}");
            let hits = person.store.search("bread", 1_000).await.expect("a search");
            assert!(hits.iter().all(|it| person.has(&it.summary.id)), "step {step}");
            match person.store.find("talk-").await {
                Ok(found) => assert!(person.has(&found.id)),
                Err(StoreError::NotFound(_)) => {}
                Err(StoreError::Ambiguous { candidates, .. }) => {
                    assert!(candidates.iter().all(|it| person.has(it)), "{candidates:?}");
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    // Whoever sees everything sees both, and how many each has adds up.
    let both = people.iter().map(|it| it.talks.len()).sum::<usize>();
    assert_eq!(all.list(&ALL).await.map(|it| it.len()), Ok(both));
    // A key is good for one of them.
    for person in &people {
        let claim = KeyClaim {
            owner: String::new(),
            key: "key".to_owned(),
            digest: Digest::of(b"the same request"),
            conversation: "c".into(),
            run: "r".into(),
        };
        assert_eq!(person.store.claim_key(&claim).await, Ok(KeyState::New));
    }
}

async fn what_begins_belongs_to_whoever_began_it(place: Place) {
    let all = place.open().await;
    let (ann, admin) = (all.of("user:ann"), all.beginning_for("user:root"));
    for (store, id) in [(&all, "nobodys"), (&ann, "anns"), (&admin, "roots")] {
        let mut talk = Talk::new(id);
        let reports = talk.chat("Bread?", "Yes.");
        keep_in(store, &talk, &reports).await;
    }
    let owner = |id: &'static str| {
        let all = all.clone();
        async move { all.find(id).await.expect("it is there").owner }
    };
    assert_eq!(owner("nobodys").await, None);
    assert_eq!(owner("anns").await.as_deref(), Some("user:ann"));
    assert_eq!(owner("roots").await.as_deref(), Some("user:root"));
    assert_eq!(all.owners().await, Ok(vec!["user:ann".to_owned(), "user:root".to_owned()]));
    assert_eq!(ann.owners().await, Ok(vec!["user:ann".to_owned()]));
    // Whoever goes on in it, and whatever becomes of it, it stays whose it is.
    let mut talk = Talk::new("anns");
    let _ = talk.chat("Bread?", "Yes.");
    let reports = talk.chat("Butter?", "Yes.");
    keep_in(&admin, &talk, &reports).await;
    assert_eq!(owner("anns").await.as_deref(), Some("user:ann"));
    assert_eq!(ann.list(&ALL).await.map(|it| it.len()), Ok(1));
    // What is brought back belongs to whoever brings it.
    let events = stored(&all, &"nobodys".into()).await;
    all.delete(&"nobodys".into()).await.expect("it is there");
    admin.import(events).await.expect("it is new");
    assert_eq!(owner("nobodys").await.as_deref(), Some("user:root"));
}

/// Whether anybody else has what is brought along makes no difference.
async fn an_import_says_nothing_about_what_others_have(place: Place) {
    let all = place.open().await;
    let [ann, bob, eve] = ["user:ann", "user:bob", "user:eve"].map(|owner| all.of(owner));
    let mut talk = Talk::new("anns");
    let reports = talk.ask("Is there bread?", &["yes"], "There is bread.");
    keep_in(&ann, &talk, &reports).await;
    let more = talk.chat("Butter?", "Yes.");
    keep_in(&ann, &talk, &more).await;
    let events = stored(&all, &"anns".into()).await;
    let taken = bob.import(events.clone()).await.expect("it is taken in");
    assert_eq!((taken.runs, taken.known), (2, 0));
    assert_eq!(stored(&all, &"anns".into()).await, events, "nobody else's changes");
    all.delete(&"anns".into()).await.expect("it is there");
    assert_eq!(eve.import(events.clone()).await, Ok(taken), "the same where nobody has it");
    for person in [&bob, &eve] {
        let again = person.import(events.clone()).await.expect("it is there");
        assert_eq!((again.events, again.known), (0, taken.events));
        assert_eq!(person.list(&ALL).await.map(|it| it.len()), Ok(1));
    }
}

async fn what_lets_people_in_is_used_once_and_ends(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let grant = |name: &str, expires: Option<u64>| Grant {
        kind: GrantKind::SignIn,
        name: name.to_owned(),
        digest: format!("digest of {name}"),
        body: "{}".to_owned(),
        created_at: Timestamp(1),
        used_at: Timestamp(1),
        expires_at: expires.map(Timestamp),
    };
    assert_eq!(store.put_grant(&grant("a", Some(10))).await, Ok(true));
    assert_eq!(other.put_grant(&grant("a", None)).await, Ok(false), "the name is taken");
    assert_eq!(other.put_grant(&grant("b", None)).await, Ok(true));
    let found = other.grant(GrantKind::SignIn, "digest of a").await.expect("it can be read");
    assert_eq!(found.as_ref(), Some(&grant("a", Some(10))));
    assert_eq!(other.grant(GrantKind::Token, "digest of a").await, Ok(None), "another kind");
    assert!(grant("a", Some(10)).is_current(Timestamp(9)));
    assert!(!grant("a", Some(10)).is_current(Timestamp(10)));
    store.note_grant_use(GrantKind::SignIn, "b", Timestamp(7)).await.expect("it is kept");
    let used = other.grants(GrantKind::SignIn).await.expect("a list");
    assert_eq!(used.iter().map(|it| it.used_at.0).collect::<Vec<_>>(), [1, 7]);
    // However many use it at once, one does.
    let uses = (0..8).map(|at| {
        let store = if at % 2 == 0 { store.clone() } else { other.clone() };
        tokio::spawn(async move { store.remove_grant(GrantKind::SignIn, "b").await })
    });
    let mut used = 0;
    for one in uses.collect::<Vec<_>>() {
        used += usize::from(one.await.expect("it ends").expect("it is kept"));
    }
    assert_eq!(used, 1);
    store.tidy_grants(Timestamp(10)).await.expect("it is kept");
    assert_eq!(other.grants(GrantKind::SignIn).await, Ok(Vec::new()));
}
