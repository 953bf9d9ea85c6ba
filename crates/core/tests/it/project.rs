//! What a project says: it stands above the conversation, and nobody asked it.

use std::sync::Arc;

use toolwright_core::{Author, Conversation, Message};

fn talk() -> Conversation {
    let mut talk = Conversation::new();
    talk.push(Message::system("Help."));
    talk.push(Message::project("Use tabs."));
    for turn in 0..6 {
        talk.push(Message::user(format!("Question {turn}?")));
        talk.push(Message::assistant(format!("Answer {turn}: {}", "x".repeat(200))));
        if turn == 1 {
            talk.push(Message::project("Use blanks."));
        }
    }
    talk
}

fn contents(talk: &Conversation) -> Vec<&str> {
    talk.messages().iter().map(|it| it.content()).collect()
}

/// What is said last holds, however often a conversation is shortened; and what stands for the rest does not
/// tell it as the user's.
#[test]
fn the_last_of_it_stays_when_a_conversation_is_shortened() {
    let mut talk = talk();
    for round in 0..3 {
        let digest = talk.digest(500).expect("something to gain");
        talk.restore(&Arc::new(digest));
        let now = contents(&talk);
        assert_eq!(now[..2], ["Help.", "Use blanks."], "round {round}");
        assert!(talk.messages()[1].is_project());
        assert!(now[2].starts_with("What happened so far"), "{}", now[2]);
        assert!(!now[2].contains("Use tabs.") && !now[2].contains("Use blanks."), "{}", now[2]);
        assert_eq!(now.iter().filter(|it| it.starts_with("What happened so far")).count(), 1);
        for turn in 0..4 {
            talk.push(Message::user(format!("More {round} {turn}?")));
            talk.push(Message::assistant("y".repeat(300)));
        }
    }
}

#[test]
fn it_is_no_turn_and_is_read_anew_elsewhere() {
    let said = Message::project("Use tabs.");
    let Message::User(user) = &said else { panic!("{said:?}") };
    assert!(!user.is_turn());
    assert_eq!(said.foreign(), None, "a log from elsewhere brings no instructions");
    let written = serde_json::to_value(&said).unwrap();
    assert_eq!(written["origin"], "project");
    let read: Message = serde_json::from_value(written).unwrap();
    assert!(matches!(&read, Message::User(it) if it.origin == Author::Project));
}
