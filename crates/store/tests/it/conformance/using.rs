//! What was used, read off the log.

use toolwright_core::Timestamp;

use super::on_both;
use crate::common::{
    place::Place,
    talk::{Talk, keep_in},
};

on_both!(use_is_told_by_day_and_tool);

async fn use_is_told_by_day_and_tool(place: Place) {
    let store = place.open().await;
    assert_eq!(store.usage(Timestamp(0), 0).await, Ok(toolwright_store::UsageReport::default()));
    let mut talk = Talk::new("talk");
    for _ in 0..2 {
        let reports = talk.ask("How is it?", &["fine", "well"], "Fine.");
        keep_in(&store, &talk, &reports).await;
    }
    let told = store.usage(Timestamp(0), 0).await.expect("it is read");
    let runs = |usage: &toolwright_store::RunUsage| (usage.runs, usage.failed);
    assert_eq!(told.days.values().map(runs).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1)), (2, 0));
    assert_eq!(told.models.values().map(|it| it.runs).sum::<u64>(), 2);
    assert_eq!(told.tools.values().map(|it| it.calls).sum::<u64>(), 4);
    assert!(told.tools.values().all(|it| it.elapsed.is_sorted()), "{told:?}");
    // A day later it is another day, and what came before a moment is not counted.
    let later = store.usage(Timestamp(0), 24 * 60 * 60 * 1000).await.expect("it is read");
    let shifted: Vec<_> = told.days.keys().map(|day| day + 1).collect();
    assert_eq!(later.days.keys().copied().collect::<Vec<_>>(), shifted);
    let after = store.usage(Timestamp(u64::MAX), 0).await.expect("it is read");
    assert_eq!(after.days.len() + after.tools.len(), 0);
}
