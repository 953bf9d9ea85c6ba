//! Several threads at one library.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use serde_json::json;

use crate::making::{Desk, watched};

#[test]
fn questions_are_answered_in_the_middle_of_an_import() {
    let desk = Desk::new();
    let entries: Vec<_> = (0..3000)
        .map(|at| watched(&format!("aaaaaa{at:05}"), "Tea", "One", "2023-06-04T04:07:59Z"))
        .collect();
    let path = desk.file("watch.json", json!(entries).to_string());
    let library = desk.library.clone();
    let mut seen = Vec::new();
    // Asked from within the import, where a lock held across it would never be given.
    desk.library
        .import(&path, &mut |_, _| seen.push(library.statistics().unwrap().videos))
        .unwrap();
    assert_eq!(seen.last(), Some(&3000));
    assert!(seen.len() > 1);
}

#[test]
fn a_question_sees_whole_transactions_while_others_write() {
    let desk = Desk::new();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut asked = 0;
            while !over.load(Ordering::Relaxed) || asked == 0 {
                let statistics = desk.library.statistics().unwrap();
                // Ten at a time, and all or nothing.
                assert_eq!(statistics.videos % 10, 0);
                asked += 1;
            }
        });
        let writers: Vec<_> = (0..3)
            .map(|writer| {
                let library = desk.library.clone();
                scope.spawn(move || {
                    for round in 0..10 {
                        let watched: Vec<_> = (0..10)
                            .map(|at| toolwright_watch::Watched {
                                id: format!("{writer:03}-{round:03}-{at:03}"),
                                title: None,
                                channel: None,
                                is_music: false,
                                at: "2024-01-01T00:00:00Z".parse().unwrap(),
                            })
                            .collect();
                        assert_eq!(library.add(&watched).unwrap().videos, 10);
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.join().unwrap();
        }
        over.store(true, Ordering::Relaxed);
        reader.join().unwrap();
    });
    assert_eq!(desk.library.statistics().unwrap().videos, 300);
}
