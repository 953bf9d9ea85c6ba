//! What was approved for good.

use toolwright_store::{LogKey, Store, StoredRule};

use super::on_both;
use crate::common::place::{PATIENCE, Place};

on_both!(
    a_rule_is_kept_once_for_everybody,
    a_number_is_used_once,
    a_rule_of_another_key_says_nothing,
);

async fn numbers(store: &Store) -> Vec<u64> {
    store.rules().await.expect("they can be read").iter().map(|it| it.number).collect()
}

async fn a_rule_is_kept_once_for_everybody(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    assert!(store.put_rule(b"one").await.expect("kept"));
    assert!(!other.put_rule(b"one").await.expect("kept"), "it is there");
    assert!(other.put_rule(b"two\0").await.expect("kept"));
    let rules = store.of("somebody").rules().await.expect("they can be read");
    let said: Vec<_> = rules.iter().map(|it| it.body.as_deref()).collect();
    assert_eq!(said, [Some(&b"one"[..]), Some(&b"two\0"[..])]);
    assert!(store.remove_rule(rules[0].number).await.expect("gone"));
    assert_eq!(numbers(&other).await, [rules[1].number]);
    assert!(!other.remove_rule(rules[0].number).await.expect("gone"), "once");
    assert!(!other.remove_rule(u64::MAX).await.expect("there is none"));
    other.clear_rules().await.expect("gone");
    assert_eq!(store.rules().await.expect("they can be read"), []);
}

/// Whoever looked at an older list takes nothing back that they have not seen.
async fn a_number_is_used_once(place: Place) {
    let store = place.open().await;
    store.put_rule(b"one").await.expect("kept");
    let before = numbers(&store).await;
    store.clear_rules().await.expect("gone");
    store.put_rule(b"one").await.expect("kept");
    assert!(!before.contains(&numbers(&store).await[0]));
    assert!(!store.remove_rule(before[0]).await.expect("none"));
}

/// Whoever can write to the database and does not have the key approves nothing.
async fn a_rule_of_another_key_says_nothing(place: Place) {
    let key: LogKey = "ef".repeat(32).parse().expect("a key");
    let other = Store::open_keyed(&place.location, PATIENCE, key).await.expect("it opens");
    other.put_rule(b"everything").await.expect("kept");
    let store = place.open().await;
    let rules = store.rules().await.expect("they can be read");
    assert!(matches!(rules[..], [StoredRule { body: None, .. }]), "{rules:?}");
    assert!(store.remove_rule(rules[0].number).await.expect("gone"), "it can be taken back");
}
