//! However many tokens go through the layers at a time, each becomes the same.

use super::{
    super::{DecodeSession, Llama, portions},
    families::tiny,
};

fn tokens(seed: u64, many: usize) -> Vec<u32> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..many).map(|_| random.u32(..250)).collect()
}

fn prompted(model: &Llama, many: usize) -> DecodeSession {
    let mut session = model.session();
    assert!(session.push(&tokens(1, many), &|| true).unwrap());
    session
}

#[test]
fn tokens_that_are_read_in_one_pass_are_read_as_if_alone() {
    // What was read is looked at in stretches of 256: within one, from one to the next, and in the second.
    for before in [40, 230, 300] {
        read_as_if_alone(before);
    }
}

fn read_as_if_alone(before: usize) {
    let (model, _) = tiny();
    let written = tokens(2, 60);
    let mut alone = prompted(&model, before);
    let mut expected = Vec::new();
    for token in &written {
        assert!(alone.push_each(&[*token], &|| true).unwrap());
        expected.push(alone.likeliest(&|it| it % 3 != 0));
    }
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..20 {
        let (mut session, mut rest) = (prompted(&model, before), &written[..]);
        let mut likeliest = Vec::new();
        while !rest.is_empty() {
            let (part, after) = rest.split_at(random.usize(1..=rest.len().min(30)));
            let begin = session.tokens().len();
            // Some are read that do not belong there, and forgotten.
            let wrong = tokens(random.u64(..), random.usize(..9));
            assert!(session.push_each(&[part, &wrong].concat(), &|| true).unwrap());
            let ends = begin + 1..=begin + part.len();
            likeliest.extend(ends.map(|it| session.likeliest_after(it, &|it| it % 3 != 0)));
            session.truncate(begin + part.len());
            rest = after;
        }
        assert_eq!(likeliest, expected);
        // To the last bit.
        assert_eq!(session.logits().unwrap(), alone.logits().unwrap());
        assert!(session.save().eq(alone.save()));
    }
}

#[test]
fn what_is_not_known_any_more_is_not_likeliest() {
    let (model, _) = tiny();
    let mut session = prompted(&model, 40);
    assert!(session.likeliest(&|_| true).is_some());
    // Of a prompt, only the last is known.
    assert_eq!(session.likeliest_after(39, &|_| true), None);
    assert_eq!(session.likeliest_after(41, &|_| true), None);
    session.truncate(39);
    assert_eq!(session.likeliest(&|_| true), None);
    assert_eq!(model.session().likeliest(&|_| true), None);
}

#[test]
fn a_prompt_is_the_same_in_portions_of_any_size() {
    let (model, _) = tiny();
    let all = tokens(4, 300);
    let mut whole = model.session();
    assert!(whole.push(&all, &|| true).unwrap());
    for size in [1, 7, 16, 50, 128, 150] {
        let mut session = model.session();
        for part in all.chunks(size) {
            assert!(session.push(part, &|| true).unwrap());
        }
        assert!(session.save().eq(whole.save()), "{size}");
        assert_eq!(session.logits().unwrap(), whole.logits().unwrap(), "{size}");
    }
}

#[test]
fn portions_are_everything_and_never_much() {
    for many in [0, 1, 12, 128, 129, 300, 1000] {
        let all = tokens(5, many);
        let parts: Vec<_> = portions(&all).collect();
        assert_eq!(parts.concat(), all);
        assert!(parts.iter().all(|it| it.len() <= 128), "{many}");
    }
}

#[test]
fn what_was_saved_is_gone_on_with() {
    let (model, _) = tiny();
    let mut session = prompted(&model, 40);
    let saved: Vec<_> = session.save().collect();
    let mut restored = DecodeSession::restore(&model, session.tokens(), &saved).unwrap();
    assert_eq!(restored.tokens(), session.tokens());
    let more = tokens(6, 20);
    for session in [&mut session, &mut restored] {
        assert!(session.push(&more, &|| true).unwrap());
    }
    assert_eq!(restored.logits().unwrap(), session.logits().unwrap());
    let cut: Vec<_> = saved.iter().map(|it| &it[1..]).collect();
    assert!(DecodeSession::restore(&model, &tokens(1, 40), cut).is_none());
    let twice = saved.iter().chain(&saved);
    assert!(DecodeSession::restore(&model, &tokens(1, 40), twice).is_none());
    assert!(DecodeSession::restore(&model, &tokens(1, 40), &saved[1..]).is_none());
    assert!(DecodeSession::restore(&model, &tokens(1, 39), &saved).is_none());
}

#[test]
fn what_copies_share_is_kept_once_and_changed_by_none() {
    let (model, _) = tiny();
    let all = tokens(7, 200);
    let mut session = model.session();
    assert!(session.push(&all, &|| true).unwrap());
    let saved: Vec<_> = session.save().collect();
    for (kept, blocks) in [(200, 3), (192, 3), (191, 2), (130, 2), (64, 1), (63, 0), (0, 0)] {
        let mut fork = session.fork(&all[..kept]);
        assert_eq!(fork.tokens(), &all[..kept]);
        fork.push(&tokens(8, 90), &|| true).unwrap();
        assert_eq!((fork.together(&session), session.together(&fork)), (64 * blocks, 64 * blocks));
        let mut alone = model.session();
        alone.push(&all[..kept], &|| true).unwrap();
        alone.push(&tokens(8, 90), &|| true).unwrap();
        assert!(fork.save().eq(alone.save()), "{kept}");
        assert_eq!(fork.logits().unwrap(), alone.logits().unwrap(), "{kept}");
        // Whoever goes back changes nothing for the other one either.
        fork.truncate(kept / 2);
        fork.push(&tokens(9, 30), &|| true).unwrap();
    }
    assert!(session.save().eq(saved));
}
