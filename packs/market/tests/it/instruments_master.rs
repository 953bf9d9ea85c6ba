//! Where the list comes from: once a day, once a process, and whole.

use std::{
    fs,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use jiff::civil::Date;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use toolwright_market::{
    Client, Clock, Columns, Instruments, MarketErrorKind, Master, Pace, Query, Settings,
    SimSettings, Simulator, ist,
};

const LIST: &str = include_str!("instruments/compact.csv");
const MONDAY: Date = Date::constant(2026, 8, 10);
const TUESDAY: Date = Date::constant(2026, 8, 11);

/// What the server does with a request.
#[derive(Clone, Copy)]
enum Mood {
    Serves,
    Fails,
    /// Stops in the middle.
    Breaks,
    /// Says something else, politely.
    Chats,
}

#[derive(Clone)]
struct Server {
    address: String,
    mood: Arc<Mutex<Mood>>,
    asked: Arc<AtomicUsize>,
}

impl Server {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server =
            Self { address, mood: Arc::new(Mutex::new(Mood::Serves)), asked: Arc::default() };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                serving.asked.fetch_add(1, Ordering::SeqCst);
                let _ = stream.write_all(serving.answer().as_bytes()).await;
            }
        });
        server
    }

    fn answer(&self) -> String {
        let mood = *self.mood.lock().unwrap();
        let (status, length, body) = match mood {
            Mood::Serves => (200, LIST.len(), LIST),
            Mood::Fails => (500, 0, ""),
            Mood::Breaks => (200, LIST.len(), &LIST[..600]),
            Mood::Chats => (200, 6, "Hello\n"),
        };
        format!(
            "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
    }

    fn turn(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    fn master(&self, folder: &TempDir) -> Master {
        let mut settings = Settings::at(&self.address);
        settings.pace = Pace::unlimited();
        settings.timeout = Duration::from_secs(5);
        let client = Client::new(settings).unwrap();
        Master::new(client, folder.path().join("lists"), Columns::Compact)
    }
}

fn files(folder: &TempDir) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder.path().join("lists")) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|it| it.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn name(day: Date) -> String {
    format!("api-scrip-master.{day}.{}.csv", LIST.len())
}

fn put(folder: &TempDir, name: &str, content: &str) {
    let lists = folder.path().join("lists");
    fs::create_dir_all(&lists).unwrap();
    fs::write(lists.join(Path::new(name)), content).unwrap();
}

#[tokio::test]
async fn it_is_downloaded_once_a_day_and_read_once() {
    let (server, folder) = (Server::start().await, TempDir::new().unwrap());
    let master = server.master(&folder);
    assert_eq!(master.stale(), None);
    let (a, b, c) = tokio::join!(
        master.instruments(MONDAY),
        master.instruments(MONDAY),
        master.instruments(MONDAY)
    );
    let list = a.unwrap();
    assert_eq!(list.search(&Query::new("nifty"))[0].symbol, "NIFTY");
    assert!(Arc::ptr_eq(&list, &b.unwrap()) && Arc::ptr_eq(&list, &c.unwrap()));
    assert!(Arc::ptr_eq(&list, &master.instruments(MONDAY).await.unwrap()));
    assert_eq!((server.asked(), master.stale()), (1, None));
    assert_eq!(files(&folder), [name(MONDAY)]);

    // Another process on the same day reads what is there.
    let other = server.master(&folder);
    assert_eq!(other.instruments(MONDAY).await.unwrap().len(), list.len());
    assert_eq!(server.asked(), 1);

    // A new day has a new list, and the old one goes.
    let new = master.instruments(TUESDAY).await.unwrap();
    assert!(!Arc::ptr_eq(&list, &new));
    assert_eq!((server.asked(), master.stale()), (2, None));
    assert_eq!(files(&folder), [name(TUESDAY)]);
}

#[tokio::test]
async fn an_old_list_serves_when_there_is_no_new_one() {
    let (server, folder) = (Server::start().await, TempDir::new().unwrap());
    server.master(&folder).instruments(MONDAY).await.unwrap();
    for mood in [Mood::Fails, Mood::Breaks, Mood::Chats] {
        server.turn(mood);
        let master = server.master(&folder);
        assert!(!master.instruments(TUESDAY).await.unwrap().is_empty());
        assert_eq!(master.stale(), Some(MONDAY));
        assert_eq!(files(&folder), [name(MONDAY)]);
    }
}

#[tokio::test]
async fn after_a_failure_it_waits_before_it_asks_again() {
    let (server, folder) = (Server::start().await, TempDir::new().unwrap());
    let master = server.master(&folder);
    master.instruments(MONDAY).await.unwrap();
    server.turn(Mood::Fails);
    master.instruments(TUESDAY).await.unwrap();
    let asked = server.asked();
    server.turn(Mood::Serves);
    master.instruments(TUESDAY).await.unwrap();
    assert_eq!((server.asked(), master.stale()), (asked, Some(MONDAY)));

    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(301)).await;
    tokio::time::resume();
    master.instruments(TUESDAY).await.unwrap();
    assert_eq!((server.asked(), master.stale()), (asked + 1, None));
}

#[tokio::test]
async fn without_any_list_the_reason_is_told() {
    let (server, folder) = (Server::start().await, TempDir::new().unwrap());
    let master = server.master(&folder);
    server.turn(Mood::Fails);
    assert_eq!(master.instruments(MONDAY).await.unwrap_err().kind, MarketErrorKind::Server);
    server.turn(Mood::Breaks);
    assert_eq!(master.instruments(MONDAY).await.unwrap_err().kind, MarketErrorKind::Network);
    server.turn(Mood::Chats);
    assert_eq!(master.instruments(MONDAY).await.unwrap_err().kind, MarketErrorKind::Unreadable);
    assert_eq!((files(&folder), master.stale()), (Vec::new(), None));
    // Nothing serves, so it is tried again at once.
    server.turn(Mood::Serves);
    assert!(master.instruments(MONDAY).await.is_ok());
}

#[tokio::test]
async fn a_torn_file_is_noticed() {
    let (server, folder) = (Server::start().await, TempDir::new().unwrap());
    put(&folder, &name(MONDAY), &LIST[..LIST.len() - 200]);
    let master = server.master(&folder);
    assert_eq!(master.instruments(MONDAY).await.unwrap().len(), 15);
    assert_eq!(server.asked(), 1);
    assert_eq!(fs::read_to_string(folder.path().join("lists").join(name(MONDAY))).unwrap(), LIST);

    // Whole in length, and still no list: zeros are what a crash leaves.
    put(&folder, &name(MONDAY), &"\0".repeat(LIST.len()));
    assert_eq!(server.master(&folder).instruments(MONDAY).await.unwrap().len(), 15);
    assert_eq!(server.asked(), 2);
}

#[tokio::test]
async fn of_old_lists_the_newest_whole_one_serves() {
    let (server, folder) = (Server::start().await, TempDir::new().unwrap());
    server.turn(Mood::Fails);
    let day = |day| Date::constant(2026, 8, day);
    put(&folder, &name(day(3)), LIST);
    put(&folder, &name(day(5)), LIST);
    put(&folder, &name(day(7)), "cut");
    put(&folder, "api-scrip-master-detailed.2026-08-08.3.csv", "not of this kind");
    put(&folder, "notes.txt", "not a list");
    let master = server.master(&folder);
    assert!(master.instruments(MONDAY).await.is_ok());
    assert_eq!(master.stale(), Some(day(5)));

    // What is not a list of this kind stays when old lists go.
    server.turn(Mood::Serves);
    server.master(&folder).instruments(MONDAY).await.unwrap();
    let kept =
        ["api-scrip-master-detailed.2026-08-08.3.csv".to_owned(), name(MONDAY), "notes.txt".into()];
    assert_eq!(files(&folder), kept);
}

#[tokio::test]
async fn a_folder_that_cannot_be_is_told() {
    let (server, folder) = (Server::start().await, TempDir::new().unwrap());
    fs::write(folder.path().join("lists"), "a file is in the way").unwrap();
    let error = server.master(&folder).instruments(MONDAY).await.unwrap_err();
    assert_eq!(error.kind, MarketErrorKind::Storage);
}

/// The simulator's names are real, so they must be found as those of the real list are.
#[tokio::test]
async fn the_simulators_list_is_searched_as_the_real_one() {
    let today = Date::constant(2026, 11, 13);
    let clock = Clock::Fixed(ist().to_timestamp(today.at(13, 30, 0, 0)).unwrap());
    let settings = SimSettings { clock, ..SimSettings::default() };
    let simulator = Simulator::start(settings).await.unwrap();
    for columns in [Columns::Compact, Columns::Detailed] {
        let folder = TempDir::new().unwrap();
        let client = Client::new(Settings::at(simulator.base_url())).unwrap();
        let list = Master::new(client, folder.path().into(), columns).instruments(today).await;
        traded(&list.unwrap(), today);
    }
}

fn traded(list: &Instruments, today: Date) {
    let found = |text: &str| {
        let query = Query { today: Some(today), ..Query::new(text) };
        let first = list.search(&query).into_iter().next();
        first.map(|it| format!("{} {} {}", it.key, it.underlying, it.kind)).unwrap_or_default()
    };
    assert_eq!(found("nifty"), "IDX_I:13 NIFTY INDEX");
    assert_eq!(found("bank nifty"), "IDX_I:25 BANKNIFTY INDEX");
    assert_eq!(found("sensex"), "IDX_I:51 SENSEX INDEX");
    assert_eq!(found("reliance"), "NSE_EQ:2885 RELIANCE EQUITY");
    assert_eq!(found("infosis"), "NSE_EQ:1594 INFY EQUITY");
    assert_eq!(found("sbi"), "NSE_EQ:3045 SBIN EQUITY");
    assert_eq!(found("hdfc bank"), "NSE_EQ:1333 HDFCBANK EQUITY");
    for (text, end) in [
        ("nifty fut", "NIFTY FUTIDX"),
        ("reliance fut", "RELIANCE FUTSTK"),
        ("bank nifty put", "BANKNIFTY OPTIDX"),
        ("crude", "CRUDEOIL FUTCOM"),
        ("gold fut", "GOLD FUTCOM"),
    ] {
        assert!(found(text).ends_with(end), "{text}: {}", found(text));
    }
}
