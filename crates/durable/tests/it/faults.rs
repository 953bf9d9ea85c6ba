//! Restate, workers and connections that break at any moment: nothing is lost, and nothing stands still.

use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use tokio::sync::Semaphore;
use toolwright_durable::WorkerSettings;
use toolwright_session::{Fitness, Next, RunEngine};

use crate::stage::{Stage, Toy, until};

/// Slices of which the first waits until it may end.
fn held() -> (Arc<Semaphore>, Arc<Toy>) {
    let go = Arc::new(Semaphore::new(0));
    let held = go.clone();
    let toy = Toy::new(move |_, before| {
        let go = held.clone();
        async move {
            if before > 0 {
                return Ok(Next::Ended);
            }
            go.acquire().await.unwrap().forget();
            Ok(Next::Again { spent: Duration::ZERO })
        }
    });
    (go, toy)
}

#[test]
fn a_restate_that_dies_in_a_slice_finds_it_again() {
    let (go, toy) = held();
    let stage = Stage::new(toy);
    let worker = stage.worker();
    stage.wake("a", "one");
    until("the slice is driven", || (stage.toy.begun("one") == 1).then_some(()));
    stage.server.crash();
    stage.server.restart();
    until("Restate came back for it", || (worker.counts.attached() > 0).then_some(()));
    assert_eq!(stage.toy.ended("one"), 0, "it was driven all the time");
    go.add_permits(1);
    until("the rest was driven", || (stage.toy.ended("one") == 2).then_some(()));
    stage.until_quiet();
    assert_eq!((stage.toy.begun("one"), stage.toy.overlaps()), (2, 0), "each slice ran once");
    assert_eq!(worker.counts.failed(), 0);
}

#[test]
fn a_slice_longer_than_restate_waits_is_found_again() {
    let (go, toy) = held();
    let mut stage = Stage::new(toy);
    let second = Duration::from_secs(1);
    stage.settings = WorkerSettings { inactivity: second, abort: second, ..stage.settings };
    let worker = stage.worker();
    stage.wake("a", "one");
    until("Restate came back for it", || (worker.counts.attached() > 0).then_some(()));
    go.add_permits(1);
    until("the rest was driven", || (stage.toy.ended("one") == 2).then_some(()));
    stage.until_quiet();
    assert_eq!((stage.toy.begun("one"), stage.toy.overlaps()), (2, 0));
}

/// Slices of which the first of each run never comes to its end; what is asked next has no such.
fn lost() -> Arc<Toy> {
    Toy::new(|slice, before| async move {
        if before == 0 && slice.run.as_str() != "next" {
            std::future::pending::<()>().await;
        }
        Ok(Next::Ended)
    })
}

/// Restate keeps a slice for the address where it was begun: where that one is gone, whether or not Restate still knows of
/// it, the conversation goes on where new work goes.
#[test]
fn what_was_begun_at_an_address_that_is_gone_goes_on_elsewhere() {
    for is_deleted in [false, true] {
        let stage = Stage::new(lost());
        let old = stage.worker();
        stage.wake("a", "one");
        until("the slice is driven", || (stage.toy.begun("one") == 1).then_some(()));
        let deployment = stage.register(&old, false).deployment;
        let new = stage.worker();
        let engine = stage.engine();
        let admin = engine.admin().unwrap();
        assert_eq!(stage.wait(admin.bound()), Ok(Vec::new()), "whoever has it is there");
        assert_eq!(stage.wait(engine.hand_on()), Ok(0));
        let at = format!("http://{}", old.addr);
        old.kill();
        if is_deleted {
            stage.forget(&deployment);
        }
        // What is asked afterwards waits behind it.
        stage.wake("a", "next");
        let bound = until("it is seen", || {
            let bound = stage.wait(admin.bound()).unwrap();
            bound.first().cloned()
        });
        assert_eq!((&bound.deployment, bound.conversations()), (&deployment, 1));
        assert_eq!(bound.address, (!is_deleted).then_some(at));
        let trouble = stage.wait(admin.trouble()).unwrap();
        assert_eq!((trouble.conversations, trouble.bound.len()), (0, 1), "{trouble:?}");
        assert_eq!(
            (stage.toy.begun("one"), new.counts.started()),
            (1, 0),
            "nobody goes on with it"
        );

        assert_eq!(stage.register(&new, false).handed_on, 1);
        until("the rest was driven", || (stage.toy.ended("one") == 1).then_some(()));
        until("and what was asked next", || (stage.toy.ended("next") == 1).then_some(()));
        stage.until_quiet();
        assert_eq!((stage.toy.begun("one"), stage.toy.overlaps()), (2, 0));
        assert_eq!(stage.wait(engine.hand_on()), Ok(0));
    }
}

/// Another program, which speaks HTTP and knows nothing of Restate.
fn something_else(at: std::net::SocketAddr) {
    let listener = std::net::TcpListener::bind(at).unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            // Whoever asks may be gone already.
            let _ = stream.unwrap().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi");
        }
    });
}

/// Addresses are given to others: what answers there now is no worker, and never will be.
#[test]
fn what_was_begun_where_something_else_answers_now_goes_on_elsewhere() {
    let stage = Stage::new(lost());
    let old = stage.worker();
    stage.wake("a", "one");
    until("the slice is driven", || (stage.toy.begun("one") == 1).then_some(()));
    let new = stage.worker();
    let (at, uri) = (old.addr, format!("http://{}", old.addr));
    old.kill();
    something_else(at);
    let engine = stage.engine();
    let admin = engine.admin().unwrap();
    until("it is seen", || stage.wait(admin.bound()).unwrap().first().cloned());
    let refused = stage.wait(admin.register(&uri, false)).unwrap_err().to_string();
    assert!(
        refused.starts_with(&format!("what answers Restate at {uri} is no worker")),
        "{refused}"
    );
    assert_eq!(stage.register(&new, false).handed_on, 1);
    until("the rest was driven", || (stage.toy.ended("one") == 1).then_some(()));
    stage.until_quiet();
    assert_eq!((stage.toy.begun("one"), stage.toy.overlaps()), (2, 0));
}

/// Several notice at the same time: it goes on all the same, and once.
#[test]
fn what_several_hand_on_goes_on_once() {
    let stage = Stage::new(lost());
    let old = stage.worker();
    for conversation in ["a", "b", "c"] {
        stage.wake(conversation, conversation);
        until("the slice is driven", || (stage.toy.begun(conversation) == 1).then_some(()));
    }
    let _new = stage.worker();
    old.kill();
    let engine = stage.engine();
    until("it is seen", || {
        let bound = stage.wait(engine.admin().unwrap().bound()).unwrap();
        bound.first().filter(|it| it.conversations() == 3).cloned()
    });
    let all = stage.wait(async {
        tokio::join!(engine.hand_on(), engine.hand_on(), engine.hand_on(), engine.hand_on())
    });
    assert!([all.0, all.1, all.2, all.3].iter().all(Result::is_ok));
    for conversation in ["a", "b", "c"] {
        until("the rest was driven", || (stage.toy.ended(conversation) == 1).then_some(()));
    }
    stage.until_quiet();
    assert_eq!(stage.toy.overlaps(), 0);
}

#[test]
fn workers_that_die_at_any_moment_leave_nothing_standing() {
    const SLICES: usize = 200;
    const KILLS: usize = 12;
    // How far each run is, as the log would say: a slice that was broken off did not move it.
    let far: Arc<Vec<AtomicUsize>> = Arc::new((0..4).map(|_| AtomicUsize::new(0)).collect());
    let log = far.clone();
    let toy = Toy::new(move |slice, _| {
        let log = log.clone();
        async move {
            let run: usize = slice.run.as_str().parse().unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
            let done = log[run].fetch_add(1, Ordering::SeqCst) + 1;
            Ok(if done < SLICES { Next::Again { spent: Duration::ZERO } } else { Next::Ended })
        }
    });
    let stage = Stage::new(toy);
    let mut worker = stage.worker();
    for run in 0..4 {
        stage.wake(&format!("conv_{run}"), &run.to_string());
    }
    for _ in 0..KILLS {
        // At whatever it is at: in a slice, between its value and the next, before the handler returned.
        let before = worker.counts.started();
        let some = 3 + fastrand::u64(0..7);
        until("it drives", || {
            (worker.counts.started() > before + some || quiet(&stage)).then_some(())
        });
        let addr = worker.addr;
        worker.kill();
        worker = stage.replaced(addr);
    }
    until("all are at their end", || {
        far.iter().all(|it| it.load(Ordering::SeqCst) >= SLICES).then_some(())
    });
    stage.until_quiet();
    assert_eq!(stage.toy.overlaps(), 0);
}

fn quiet(stage: &Stage) -> bool {
    stage.invocations().is_empty()
}

/// The status that a health check gets.
fn health(addr: std::net::SocketAddr) -> String {
    status(addr, "/health")
}

fn status(addr: std::net::SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(addr).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: w\r\nconnection: close\r\n\r\n").unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    String::from_utf8_lossy(&head[9..]).into_owned()
}

#[test]
fn a_worker_that_is_to_end_lets_slices_come_to_a_boundary() {
    let is_over = Arc::new(AtomicBool::new(false));
    let over = is_over.clone();
    let (go, is_second) = (Arc::new(Semaphore::new(0)), Arc::new(AtomicBool::new(false)));
    let (held, second) = (go.clone(), is_second.clone());
    let toy = Toy::new(move |slice, before| {
        let (go, over, second) = (held.clone(), over.clone(), second.clone());
        async move {
            if slice.run.as_str() == "two" {
                return Ok(Next::Ended);
            }
            if before > 0 {
                second.store(over.load(Ordering::SeqCst), Ordering::SeqCst);
                return Ok(Next::Ended);
            }
            go.acquire().await.unwrap().forget();
            Ok(Next::Again { spent: Duration::ZERO })
        }
    });
    let stage = Stage::new(toy);
    let mut worker = stage.worker();
    let addr = worker.addr;
    assert_eq!(health(addr), "200");
    stage.wake("a", "one");
    until("the slice is driven", || (stage.toy.begun("one") == 1).then_some(()));
    worker.stop();
    until("slices are told", || stage.toy.is_draining.load(Ordering::SeqCst).then_some(()));
    assert_eq!(health(addr), "404", "it listens, and says that it goes");
    // What comes now is for the next worker.
    stage.wake("b", "two");
    go.add_permits(1);
    let drained = worker.drained();
    assert_eq!(drained.left, 0);
    assert_eq!((stage.toy.begun("one"), stage.toy.ended("one")), (1, 1), "it came to its boundary");
    assert_eq!(stage.toy.begun("two"), 0);
    is_over.store(true, Ordering::SeqCst);
    let _next = stage.replaced(addr);
    until("the rest was driven", || (stage.toy.ended("one") == 2).then_some(()));
    until("so was what came meanwhile", || (stage.toy.ended("two") == 1).then_some(()));
    stage.until_quiet();
    assert!(is_second.load(Ordering::SeqCst), "by the next worker");
    assert_eq!(stage.toy.overlaps(), 0);
}

#[test]
fn balancers_are_told_whether_a_worker_reaches_its_log() {
    let stage = Stage::new(Toy::new(|_, _| async { Ok(Next::Ended) }));
    let worker = stage.worker();
    let told = |fitness| {
        *stage.toy.fitness.lock().unwrap() = fitness;
        health(worker.addr)
    };
    assert_eq!(told(Fitness::Hesitant), "404", "nothing new, and what it has it keeps");
    assert_eq!(told(Fitness::CutOff), "503");
    assert_eq!(told(Fitness::Well), "200");
    // Whatever else somebody asks for is not there, and harms nobody.
    for path in ["/", "/version", "/metrics", "/a/b", "//", "/restate/version"] {
        assert_eq!(status(worker.addr, path), "404", "{path}");
    }
    assert_eq!(told(Fitness::Well), "200");
}

#[test]
fn a_slice_that_comes_to_no_boundary_is_left_when_the_time_is_up() {
    let (_go, toy) = held();
    let mut stage = Stage::new(toy);
    stage.settings = WorkerSettings { drain: Duration::from_millis(300), ..stage.settings };
    let mut worker = stage.worker();
    let addr = worker.addr;
    stage.wake("a", "one");
    until("the slice is driven", || (stage.toy.begun("one") == 1).then_some(()));
    worker.stop();
    let drained = worker.drained();
    assert_eq!(drained.left, 1);
    assert_eq!(stage.toy.ended("one"), 0);
    thread::sleep(Duration::from_millis(50));
    let _next = stage.replaced(addr);
    until("another worker drives on", || (stage.toy.ended("one") == 1).then_some(()));
    stage.until_quiet();
}
