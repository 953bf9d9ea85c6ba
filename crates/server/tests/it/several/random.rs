//! Whatever is done in whatever order, on whichever servers: everybody hears what the log has, all of it, in order, once.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{sync::watch, task::JoinHandle};
use toolwright_testkit::{Chunking, Reply, Script};

use super::{Servers, assert_whole, decide, delete, log, path, summary};
use crate::harness::{Desk, Listening, PATIENCE, Request, ask};

const CONVERSATIONS: usize = 3;
const QUESTIONS: usize = 4;

type Heard = Arc<Mutex<Vec<(String, Value)>>>;

/// Somebody who listens from the beginning, and goes from server to server.
struct Wanderer {
    heard: Heard,
    stop: watch::Sender<bool>,
    going: JoinHandle<()>,
}

impl Wanderer {
    fn start(addresses: [std::net::SocketAddr; 3], id: &str, seed: u64) -> Self {
        let (heard, (stop, mut stopped)) = (Heard::default(), watch::channel(false));
        let (notes, path) = (heard.clone(), path(id, "/stream"));
        let going = tokio::spawn(async move {
            let mut dice = fastrand::Rng::with_seed(seed);
            while !*stopped.borrow() {
                let last = notes.lock().unwrap().iter().rev().find(|it| !it.0.is_empty()).cloned();
                let last = last.map_or("0.0".to_owned(), |it| it.0);
                let request = Request::new("GET", &path).header("Last-Event-ID", &last);
                let mut stream = Listening::to(addresses[dice.usize(..3)], &request).await;
                for _ in 0..dice.usize(1..25) {
                    let next = tokio::select! {
                        next = stream.next() => next,
                        _ = stopped.changed() => return,
                    };
                    let Some(event) = next else { break };
                    notes.lock().unwrap().push(event);
                }
            }
        });
        Self { heard, stop, going }
    }

    /// The last committed event that was heard.
    fn last(&self) -> Option<String> {
        let heard = self.heard.lock().unwrap();
        let is_kept = |it: &&(String, Value)| !it.0.is_empty() && !it.0.contains('.');
        heard.iter().rev().find(is_kept).map(|it| it.0.clone())
    }
}

/// Writes that wait for a decision, and answers, in no order.
fn script(dice: &mut fastrand::Rng) -> Script {
    (0..CONVERSATIONS * QUESTIONS * 30).fold(Script::new(), |script, at| {
        let words = format!("Answer {at} has some words in it.");
        script.reply(match dice.u8(..10) {
            0..4 => {
                let write = json!({"file_path": format!("{at}.txt"), "content": "x\n"}).to_string();
                let id: &'static str = Box::leak(format!("c{at}").into_boxed_str());
                Reply::calls([(id, "write", write.as_str())])
            }
            4..7 => Reply::text(words).chunking(Chunking::PerEvent).pace(Duration::from_millis(15)),
            _ => Reply::text(words),
        })
    })
}

/// Somebody who does this and that in a conversation, now here, now there.
struct Meddler<'a> {
    servers: &'a Servers,
    dice: fastrand::Rng,
}

impl<'a> Meddler<'a> {
    fn desk(&mut self) -> &'a Desk {
        [&self.servers.a, &self.servers.b, &self.servers.c][self.dice.usize(..3)]
    }

    /// Asks; the stream that answers is listened to elsewhere.
    async fn ask(&mut self, id: Option<&str>) -> Option<(Listening, Value)> {
        let body = json!({"message": "Go", "conversation_id": id});
        let request = Request::new("POST", "/api/chat/stream").json(&body);
        let mut stream = Listening::to(self.desk().address, &request).await;
        // A run that follows what was asked before may be faster.
        let first = stream.next().await?;
        Some((stream, first.1))
    }

    async fn meddle(&mut self, id: &str) {
        let listed = self.desk().get(&path(id, "/decisions")).await.json();
        for shown in listed["decisions"].as_array().unwrap() {
            let shown = json!({"id": shown["call_id"], "fingerprint": shown["fingerprint"]});
            let verdict = if self.dice.bool() { "allow" } else { "deny" };
            let taken = decide(self.desk(), id, &shown, json!({"verdict": verdict})).await;
            assert!([200, 404, 409].contains(&taken.status), "{}", taken.text());
        }
        match self.dice.u8(..20) {
            0 => {
                let stopped = self.desk().post(&path(id, "/stop"), &json!({})).await;
                assert!([202, 404].contains(&stopped.status), "{}", stopped.text());
            }
            1..4 => {
                let mode = if self.dice.bool() { "steer" } else { "next" };
                let body = json!({"message": "And?", "mode": mode});
                let said = self.desk().post(&path(id, "/messages"), &body).await;
                assert!([202, 409].contains(&said.status), "{}", said.text());
                if said.status == 202 && self.dice.bool() {
                    let message = said.json()["id"].as_str().unwrap().to_owned();
                    let gone =
                        delete(self.desk(), &path(id, &format!("/messages/{message}"))).await;
                    assert!([204, 404, 409].contains(&gone), "{gone}");
                }
            }
            4 => self.servers.database.cut_listening().await,
            _ => {}
        }
    }

    /// Until nothing goes on any more, and nothing waits.
    async fn settle(&mut self, id: &str) {
        loop {
            let waiting = self.desk().get(&path(id, "/messages")).await.json();
            for message in waiting["messages"].as_array().unwrap() {
                let message = message["id"].as_str().unwrap();
                delete(self.desk(), &path(id, &format!("/messages/{message}"))).await;
            }
            let is_idle = summary(self.desk(), id).await["state"] == "idle";
            let left = self.desk().get(&path(id, "/messages")).await.json();
            if is_idle
                && left["messages"] == json!([])
                && summary(self.desk(), id).await["state"] == "idle"
            {
                return;
            }
            self.meddle_without_words(id).await;
        }
    }

    async fn meddle_without_words(&mut self, id: &str) {
        let listed = self.desk().get(&path(id, "/decisions")).await.json();
        for shown in listed["decisions"].as_array().unwrap() {
            let shown = json!({"id": shown["call_id"], "fingerprint": shown["fingerprint"]});
            decide(self.desk(), id, &shown, json!({"verdict": "deny"})).await;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }

    async fn live(mut self) {
        let (first, started) = self.ask(None).await.expect("the first question is taken");
        let id = started["conversation_id"].as_str().unwrap().to_owned();
        let addresses = [&self.servers.a, &self.servers.b, &self.servers.c].map(|it| it.address);
        let wanderers: Vec<_> =
            (0..3).map(|_| Wanderer::start(addresses, &id, self.dice.u64(..))).collect();
        let mut streams = vec![first];
        for question in 0..QUESTIONS {
            if question > 0 {
                streams.extend(self.ask(Some(&id)).await.map(|it| it.0));
            }
            while summary(self.desk(), &id).await["state"] != "idle" {
                self.meddle(&id).await;
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        self.settle(&id).await;
        self.judge(&id, wanderers, streams).await;
    }

    async fn judge(&mut self, id: &str, wanderers: Vec<Wanderer>, streams: Vec<Listening>) {
        let log = log(self.desk(), id).await;
        let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, event) in &log {
            let is_end = ["done", "error"].contains(&event["type"].as_str().unwrap());
            *ends.entry(event["run"].as_str().unwrap()).or_default() += usize::from(is_end);
        }
        assert!(ends.values().all(|count| *count == 1), "{ends:?}");
        let last = &log.last().unwrap().0;
        for wanderer in wanderers {
            let caught_up = async {
                while wanderer.last().is_none_or(|it| it != *last) {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            tokio::time::timeout(PATIENCE, caught_up).await.expect("all of it is heard");
            let _ = wanderer.stop.send(true);
            wanderer.going.await.unwrap();
            let heard = wanderer.heard.lock().unwrap().clone();
            assert_eq!(heard.iter().find(|it| !it.0.is_empty()).unwrap().0, "0");
            assert_whole(&heard, &log);
        }
        // Whoever asked heard their run to its end, and nothing else.
        for mut stream in streams {
            let mut heard = Vec::new();
            while let Some(event) = stream.next().await {
                heard.push(event);
            }
            let heard: Vec<_> = heard.into_iter().filter(|it| !it.0.is_empty()).collect();
            let end = heard.last().expect("an end");
            assert!(["done", "error"].contains(&end.1["type"].as_str().unwrap()), "{end:?}");
            assert_eq!(heard.iter().filter(|it| it.1["run"] != end.1["run"]).count(), 0);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn everybody_hears_what_the_log_has() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut dice = fastrand::Rng::with_seed(seed);
    let servers = Arc::new(Servers::start(script(&mut dice)).await);
    let lives: Vec<_> = (0..CONVERSATIONS)
        .map(|_| {
            let (servers, dice) = (servers.clone(), fastrand::Rng::with_seed(dice.u64(..)));
            tokio::spawn(async move { Meddler { servers: &servers, dice }.live().await })
        })
        .collect();
    for life in lives {
        tokio::time::timeout(PATIENCE * 5, life).await.expect("it comes to an end").unwrap();
    }
    let nobody = ask(servers.a.address, &Request::new("GET", "/api/health")).await;
    assert_eq!(nobody.status, 200);
}
