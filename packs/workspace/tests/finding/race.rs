//! A folder is swapped for a link that leads out while the tools look: nothing from outside is ever
//! among what they find.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{Desk, link};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p6_nothing_from_outside_is_found_in_a_folder_that_is_swapped() {
    let desk = Desk::with(&[
        ("d/inside.txt", b"inside\n"),
        ("d/deep/more.txt", b"inside\n"),
        ("d/same.txt", b"inside\n"),
        ("e/x", b"inside\n"),
    ]);
    // Names that are there outside only, and one that is there on both sides.
    fs::create_dir_all(desk.outside().join("deep")).unwrap();
    fs::write(desk.outside().join("deep/hidden.txt"), "CANARY\n").unwrap();
    fs::write(desk.outside().join("same.txt"), "CANARY\n").unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let swaps = Arc::new(AtomicU64::new(0));
    let swapping = {
        let (root, outside) = (desk.root(), desk.outside());
        let (stop, swaps) = (stop.clone(), swaps.clone());
        link(&outside, root.join("data/link"));
        thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                let _ = fs::rename(root.join("d"), root.join("data/real"));
                let _ = fs::rename(root.join("data/link"), root.join("d"));
                let _ = fs::rename(root.join("d"), root.join("data/link"));
                let _ = fs::rename(root.join("data/real"), root.join("d"));
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        })
    };
    let (started, mut rounds, mut seen) = (Instant::now(), 0_u64, 0_u64);
    while started.elapsed() < Duration::from_secs(3) {
        for arguments in [json!({"depth": 5}), json!({"path": "d", "depth": 5})] {
            let listed = desk.call("list", arguments).await.unwrap_or_default();
            assert!(!listed.contains("secret.txt") && !listed.contains("hidden.txt"), "{listed}");
            seen += u64::from(listed.contains("inside.txt"));
        }
        for path in [".", "d", "d/same.txt"] {
            let arguments = json!({"pattern": ".", "path": path});
            let found = desk.call("search", arguments).await.unwrap_or_default();
            assert!(!found.contains("CANARY") && !found.contains("hidden.txt"), "{found}");
            assert!(!found.contains("secret.txt"), "{found}");
        }
        rounds += 1;
    }
    stop.store(true, Ordering::Relaxed);
    swapping.join().unwrap();
    println!(
        "{rounds} rounds, {} swaps, the folder itself was seen {seen} times",
        swaps.load(Ordering::Relaxed)
    );
    assert!(rounds > 0 && seen > 0 && swaps.load(Ordering::Relaxed) > 0);
}
