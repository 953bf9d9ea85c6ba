use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use toolwright_offline::{OfflineErrorKind, engine::DecodeSession};

use crate::{BARE, golden};

#[derive(Deserialize)]
struct Case {
    text: String,
    tokens: Vec<u32>,
    /// After each token.
    likeliest: Vec<u32>,
    /// After the last one.
    logits: Vec<(usize, f32)>,
    next: Vec<u32>,
}

fn read(tokens: &[u32], together: usize) -> (DecodeSession, Vec<u32>) {
    let mut session = BARE.0.session();
    let mut likeliest = Vec::new();
    for tokens in tokens.chunks(together) {
        assert!(session.push(tokens, &|| true).unwrap());
        likeliest.push(session.likeliest(&|_| true).unwrap());
    }
    (session, likeliest)
}

#[test]
fn logits_are_those_of_another_implementation_however_tokens_are_read() {
    for case in golden::<Vec<Case>>("logits.json") {
        assert_eq!(BARE.1.conversation(&case.text), case.tokens);
        for together in [1, 5, case.tokens.len()] {
            let (session, likeliest) = read(&case.tokens, together);
            let ends = (1..=likeliest.len()).map(|it| (it * together).min(case.tokens.len()) - 1);
            let expected: Vec<_> = ends.map(|it| case.likeliest[it]).collect();
            assert_eq!(likeliest, expected, "{together} at a time");
            let logits = session.logits().unwrap();
            for (token, expected) in &case.logits {
                let difference = (logits[*token] - expected).abs();
                assert!(difference < 1e-2, "{together} at a time: {token} is off by {difference}");
            }
        }
    }
}

#[test]
fn what_follows_is_what_another_implementation_writes() {
    for case in golden::<Vec<Case>>("logits.json") {
        let (mut session, _) = read(&case.tokens, case.tokens.len());
        let mut written = Vec::new();
        while written.len() < case.next.len() {
            let token = session.likeliest(&|_| true).unwrap();
            written.push(token);
            session.push(&[token], &|| true).unwrap();
        }
        assert_eq!(written, case.next);
    }
}

#[test]
fn what_was_read_is_not_read_again() {
    let text = "You call tools. Some of them are read first, and others later on. Now a question.";
    let tokens = BARE.1.encode(text);
    let (fresh, _) = read(&tokens, tokens.len());
    let mut session = BARE.0.session();
    let other = [&tokens[..8], &[1, 2, 3][..]].concat();
    assert_eq!(session.advance(&other, &|| true).unwrap(), Some(11));
    let fork = session.fork(&tokens);
    assert_eq!(fork.tokens(), &tokens[..8]);
    for mut session in [session, fork] {
        assert_eq!(session.shared(&tokens), 8);
        assert_eq!(session.advance(&tokens, &|| true).unwrap(), Some(tokens.len() - 8));
        assert_eq!(session.tokens(), tokens);
        let (one, other) = (session.logits().unwrap(), fresh.logits().unwrap());
        let worst = one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < 0.05, "off by {worst}");
        // All is known; what stands for the last one is not.
        assert_eq!(session.advance(&tokens, &|| true).unwrap(), Some(1));
    }
}

#[test]
fn only_what_is_allowed_is_likeliest() {
    let (session, _) = read(&BARE.1.encode("The capital of France is"), 5);
    let logits = session.logits().unwrap();
    let of = [7u32, 4000, 49_151];
    let best =
        *of.iter().max_by(|a, b| logits[**a as usize].total_cmp(&logits[**b as usize])).unwrap();
    assert_eq!(session.likeliest(&|it| of.contains(&it)), Some(best));
    assert_eq!(session.likeliest(&|_| false), None);
}

#[test]
fn a_session_that_is_stopped_has_read_nothing_of_it() {
    let tokens = BARE.1.encode("The capital of France is");
    let (mut session, _) = read(&tokens[..2], 2);
    let asked = AtomicUsize::new(0);
    let wanted = || asked.fetch_add(1, Ordering::Relaxed) < 7;
    assert!(!session.push(&tokens[2..], &wanted).unwrap());
    assert_eq!(session.tokens(), &tokens[..2]);
    assert!(session.push(&tokens[2..], &|| true).unwrap());
    let (fresh, _) = read(&tokens, tokens.len());
    assert_eq!(session.likeliest(&|_| true), fresh.likeliest(&|_| true));
}

#[test]
fn what_cannot_be_read_is_refused() {
    let mut session = BARE.0.session();
    let many = vec![5; BARE.0.shape().context + 1];
    assert_eq!(session.push(&many, &|| true).unwrap_err().kind, OfflineErrorKind::TooLong);
    assert_eq!(session.push(&[u32::MAX], &|| true).unwrap_err().kind, OfflineErrorKind::Internal);
    assert!(session.tokens().is_empty());
}
