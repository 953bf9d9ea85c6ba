//! What is attached: kept once, with the events that name it, and gone with the last of them.

use std::sync::Arc;

use toolwright_core::{Attachment, Digest, EventKind, Journal, Message, UserMessage};
use toolwright_store::Store;

use super::on_both;
use crate::common::{
    place::Place,
    talk::{Reports, Talk, keep_in, stored},
};

on_both!(
    what_is_attached_is_kept_with_its_event,
    what_two_have_attached_is_kept_until_both_are_gone,
    many_messages_share_what_is_attached,
);

pub(super) fn picture(number: u32) -> Attachment {
    let bytes = [&b"\x89PNG\r\n\x1a\n"[..], &number.to_be_bytes()].concat();
    Attachment::new(bytes, None, Some("a.png")).expect("a picture")
}

/// The same events, with this attached to the question.
pub(super) fn attached(mut reports: Reports, attachment: &Attachment) -> Reports {
    for event in reports.iter_mut().flatten() {
        if let EventKind::Message { message, .. } = &mut event.kind
            && let Message::User(said) = &**message
        {
            let said = UserMessage::new(&said.content).with_attachment(attachment.clone());
            *message = Arc::new(Message::User(said));
        }
    }
    reports
}

async fn bytes(store: &Store, talk: &Talk, digest: &Digest) -> Option<Vec<u8>> {
    store.attachment(&talk.id, digest).await.expect("it can be read").map(|it| it.to_vec())
}

async fn what_is_attached_is_kept_with_its_event(place: Place) {
    let store = place.open().await;
    let (mut talk, picture) = (Talk::new("talk"), picture(1));
    let reports = attached(talk.chat("What is it?", "A picture."), &picture);
    keep_in(&store, &talk, &reports).await;
    let (other, strange) = (Talk::new("other"), Digest::of(b"something else"));
    let store = place.open().await;
    assert_eq!(stored(&store, &talk.id).await, reports.concat());
    let found = bytes(&store, &talk, &picture.digest).await;
    assert_eq!(found.as_deref(), picture.bytes().map(|it| &**it));
    // Nobody gets it by its digest alone.
    assert_eq!(bytes(&store, &other, &picture.digest).await, None);
    assert_eq!(bytes(&store, &talk, &strange).await, None);
    let held = store.acquire(&talk.id).await.expect("free");
    let loaded = held.load().await.expect("it loads").history;
    let read: Vec<_> = loaded.messages().iter().flat_map(|it| it.attachments()).collect();
    assert_eq!(read, [&attached_at(&picture)]);
    assert!(read.iter().all(|it| it.bytes().is_none()), "nothing is read before it is needed");
    let found = held.attachment(&picture.digest).await.expect("it can be read");
    assert_eq!(found.as_deref(), picture.bytes().map(|it| &**it));
}

/// As it stands behind the question above.
fn attached_at(picture: &Attachment) -> Attachment {
    let message = UserMessage::new("What is it?").with_attachment(picture.clone());
    message.attachments.into_iter().next().expect("one")
}

async fn what_two_have_attached_is_kept_until_both_are_gone(place: Place) {
    let store = place.open().await;
    let (mut one, mut two) = (Talk::new("one"), Talk::new("two"));
    let (picture, alone) = (self::picture(2), self::picture(3));
    for (is_first, attachment) in [(true, &picture), (false, &picture), (false, &alone)] {
        let talk = if is_first { &mut one } else { &mut two };
        let reports = attached(talk.chat("And this?", "Yes."), attachment);
        keep_in(&store, talk, &reports).await;
    }
    // Naming a digest opens nothing that another conversation has.
    let mut guess = Talk::new("guess");
    let unfilled: Attachment =
        serde_json::from_value(serde_json::to_value(&picture).expect("JSON")).expect("the same");
    let reports = attached(guess.chat("This?", "No."), &unfilled);
    keep_in(&store, &guess, &reports).await;
    assert_eq!(bytes(&store, &guess, &picture.digest).await, None);
    store.delete(&one.id).await.expect("nobody has it");
    assert_eq!(bytes(&store, &one, &picture.digest).await, None);
    assert!(bytes(&store, &two, &picture.digest).await.is_some());
    assert!(bytes(&store, &two, &alone.digest).await.is_some());
    store.delete(&two.id).await.expect("nobody has it");
    // Whoever comes next and only names them finds nothing.
    let mut three = Talk::new("three");
    let reports = attached(three.chat("This?", "No."), &unfilled);
    keep_in(&store, &three, &reports).await;
    assert_eq!(bytes(&store, &three, &picture.digest).await, None);
}

async fn many_messages_share_what_is_attached(place: Place) {
    let store = place.open().await;
    let (mut talk, picture) = (Talk::new("talk"), picture(4));
    for _ in 0..20 {
        let reports = attached(talk.chat("Again?", "Again."), &picture);
        keep_in(&store, &talk, &reports).await;
    }
    let held = store.acquire(&talk.id).await.expect("free");
    let loaded = held.load().await.expect("it loads").history;
    assert_eq!(loaded.messages().iter().filter(|it| !it.attachments().is_empty()).count(), 20);
    assert!(bytes(&store, &talk, &picture.digest).await.is_some());
}
