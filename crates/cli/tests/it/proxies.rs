//! Whatever the binary asks over the network goes through the proxy that is set, and nothing of the proxy's
//! login or of a key is where it does not belong.

use std::{net::SocketAddr, os::unix::ffi::OsStrExt, path::PathBuf};

use serde_json::{Value, json};
use toolwright_testkit::{
    ModelServer, ProxyMode, ProxyServer, Reply, Script,
    tls::{CA, TlsServer},
};

use crate::harness::{Cli, Ended, KEY};

/// `me:hunter2-canary`, as it is sent.
const LOGIN: &str = "bWU6aHVudGVyMi1jYW5hcnk=";
const REFUSAL: &[u8] = b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n";

fn address(server: &ModelServer) -> SocketAddr {
    let url = server.base_url();
    url.strip_prefix("http://").unwrap().strip_suffix("/v1").unwrap().parse().unwrap()
}

fn with_login(proxy: &ProxyServer) -> String {
    proxy.url().replace("http://", "http://me:hunter2-canary@")
}

/// The tests' own authority, in the user's folder.
fn authority(cli: &Cli) -> PathBuf {
    let path = cli.folder.path().join("ca.pem");
    std::fs::write(&path, CA).unwrap();
    path
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|it| it == text.as_bytes())
}

fn assert_no_login(ended: &Ended) {
    let all = format!("{}{}", ended.out, ended.err);
    assert!(!all.contains("hunter2") && !all.contains(LOGIN), "{all}");
}

fn script() -> Script {
    Script::new().reply(Reply::text("Hello to you."))
}

#[tokio::test]
async fn a_question_goes_through_the_proxy_of_the_environment_and_the_key_does_not_stop_there() {
    for variable in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "TOOLWRIGHT_PROXY"] {
        let server = ModelServer::start(script()).await;
        let secure = TlsServer::start(address(&server)).await;
        let proxy = ProxyServer::start(ProxyMode::Login(secure.address(), LOGIN)).await;
        let cli = Cli::at("https://model.test/v1").env(variable, &with_login(&proxy));
        let cli = if variable.starts_with("TOOL") {
            cli.env("HTTPS_PROXY", "http://127.0.0.1:1")
        } else {
            cli
        };
        let file = authority(&cli);
        let cli = cli.env("TOOLWRIGHT_CA_FILE", file.to_str().unwrap());
        let ended = cli.run(&["--log", "trace", "ask", "Hello"]).await;
        assert!(ended.out.contains("Hello to you."), "{variable}: {}", ended.err);
        assert_eq!(proxy.asked(), ["CONNECT model.test:443 HTTP/1.1"]);
        assert!(!holds(&proxy.read(), KEY));
        assert_eq!(
            server.requests()[0].header("authorization"),
            Some(format!("Bearer {KEY}").as_str())
        );
        assert_eq!(server.requests()[0].header("proxy-authorization"), None);
        assert_no_login(&ended);
        assert_no_login(&cli.run(&["doctor"]).await);
    }
}

#[tokio::test]
async fn proxy_authority_and_headers_are_set_in_the_file_and_never_shown() {
    let server = ModelServer::start(script()).await;
    let secure = TlsServer::start(address(&server)).await;
    let proxy = ProxyServer::start(ProxyMode::Login(secure.address(), LOGIN)).await;
    let cli = Cli::at("https://model.test/v1").env("HTTPS_PROXY", "http://127.0.0.1:1");
    let file = authority(&cli);
    let cli = cli.configured(&format!(
        "[http]\nproxy = \"{}\"\nno_proxy = \"other.test\"\nca_file = \"{}\"\n\
         [http.headers.\"https://model.test\"]\nX-Team = \"blue-canary-77\"\n\
         [http.headers.\"https://other.test\"]\nX-Other = \"red-canary-88\"\n",
        with_login(&proxy),
        file.display()
    ));
    let ended = cli.run(&["--log", "trace", "ask", "Hello"]).await;
    assert!(ended.out.contains("Hello to you."), "{}", ended.err);
    let request = &server.requests()[0];
    assert_eq!(request.header("x-team"), Some("blue-canary-77"));
    assert_eq!(request.header("x-other"), None);
    let doctor = cli.run(&["doctor"]).await;
    assert!(doctor.out.contains(&proxy.url()), "{}", doctor.out);
    assert!(doctor.out.contains("X-Team"), "{}", doctor.out);
    for ended in [&ended, &doctor, &cli.run(&["doctor", "--json"]).await] {
        assert_no_login(ended);
        assert!(!format!("{}{}", ended.out, ended.err).contains("canary-77"));
    }
    // `off` beats the environment.
    let direct = ModelServer::start(script()).await;
    let secure = TlsServer::start(address(&direct)).await;
    let cli = Cli::at(&format!("https://localhost:{}/v1", secure.address().port()));
    let file = authority(&cli);
    let text = format!("[http]\nproxy = \"off\"\nca_file = \"{}\"\n", file.display());
    let ended =
        cli.configured(&text).env("ALL_PROXY", "http://127.0.0.1:1").run(&["ask", "Hello"]).await;
    assert!(ended.out.contains("Hello to you."), "{}", ended.err);
}

#[tokio::test]
async fn what_cannot_be_used_is_told_without_a_login() {
    for text in [
        "[http]\nproxy = \"ftp://me:hunter2-canary@p\"\n",
        "[http]\nca_file = \"/nowhere/ca.pem\"\n",
        "[http.headers.\"https://a.test/v1\"]\nX-Team = \"hunter2-canary\"\n",
        "[http.headers.\"https://a.test\"]\nHost = \"hunter2-canary\"\n",
    ] {
        let ended = Cli::new().configured(text).run(&["ask", "Hello"]).await;
        assert_ne!(ended.code, Some(0), "{text}");
        assert!(ended.err.contains("http."), "{text}: {}", ended.err);
        assert_no_login(&ended);
    }
    // What the environment says is an error where it would be used, and nowhere else.
    let cli = Cli::at("https://model.test/v1").env("HTTPS_PROXY", "ftp://me:hunter2-canary@p");
    let ended = cli.run(&["ask", "Hello"]).await;
    assert!(ended.err.contains("HTTPS_PROXY"), "{}", ended.err);
    assert_no_login(&ended);
    let server = ModelServer::start(script()).await;
    let cli =
        Cli::asking(&server).env("HTTP_PROXY", "ftp://p").env("ALL_PROXY", "nonsense nonsense");
    assert!(
        cli.run(&["ask", "Hello"]).await.out.contains("Hello to you."),
        "this machine needs none"
    );
}

#[tokio::test]
async fn a_certificate_nobody_knows_is_not_accepted_and_the_advice_says_what_to_do() {
    let server = ModelServer::start(script()).await;
    let secure = TlsServer::start(address(&server)).await;
    let cli = Cli::at(&format!("https://localhost:{}/v1", secure.address().port()));
    // Some authority, so that the system has one.
    let other = cli.folder.path().join("other.pem");
    std::fs::write(&other, include_str!("../../../testkit/src/tls/server.pem")).unwrap();
    let cli = cli.env("SSL_CERT_FILE", other.to_str().unwrap());
    let ended = cli.run(&["ask", "Hello"]).await;
    assert!(ended.err.contains("not trusted") && ended.err.contains("ca_file"), "{}", ended.err);
    assert!(server.requests().is_empty());
}

/// A model at an unencrypted address: the proxy would read the key, so it is not asked.
#[tokio::test]
async fn a_proxy_that_would_read_the_key_is_not_given_it() {
    let server = ModelServer::start(script()).await;
    let proxy = ProxyServer::start(ProxyMode::Pass(address(&server))).await;
    let asking = Cli::at("http://model.test/v1").env("HTTP_PROXY", &proxy.url());
    let ended = asking.run(&["ask", "Hello"]).await;
    assert!(ended.err.contains("NO_PROXY"), "{}", ended.err);
    assert!(proxy.asked().is_empty());
    // Without a key there is nothing to read but the question.
    let mut open = asking;
    open.env.retain(|(name, _)| name != "OPENAI_API_KEY");
    let ended = open.run(&["ask", "Hello"]).await;
    assert!(ended.out.contains("Hello to you."), "{}", ended.err);
    assert_eq!(proxy.asked(), ["POST http://model.test/v1/chat/completions HTTP/1.1"]);
}

/// One of everything that asks: each goes through the proxy, and tells what the proxy said.
#[tokio::test]
async fn everything_that_asks_goes_through_the_proxy() {
    let refusing = || ProxyServer::start(ProxyMode::Say(REFUSAL));
    let told = |proxy: &ProxyServer| format!("the proxy {} answered 407", proxy.url());
    let check = |proxy: &ProxyServer, host: &str, words: &str, ended: &Ended| {
        let asked = proxy.asked();
        assert!(asked.iter().any(|it| it.contains(host)), "{host} in {asked:?}: {words}");
        assert!(words.contains(&told(proxy)), "{host}: {words}");
        assert_no_login(ended);
    };

    // The model.
    let proxy = refusing().await;
    let ended = Cli::at("https://model.test/v1")
        .env("HTTPS_PROXY", &with_login(&proxy))
        .run(&["ask", "Hello"])
        .await;
    check(&proxy, "CONNECT model.test:443", &ended.err, &ended);
    assert_eq!(proxy.asked().len(), 1, "it is not asked again: {:?}", proxy.asked());

    // The broker, and its list of instruments.
    let proxy = refusing().await;
    let calls = Script::new()
        .reply(Reply::calls([("a", "get_funds", "{}")]))
        .reply(Reply::calls([("b", "search_instruments", r#"{"query":"NIFTY"}"#)]))
        .reply(Reply::text("That is all."));
    let server = ModelServer::start(calls).await;
    let cli = Cli::asking(&server)
        .env("DHANHQ_BASE_URL", "https://broker.test/v2")
        .env("DHANHQ_ACCESS_TOKEN", "a-token-of-the-broker")
        .env("DHANHQ_CLIENT_ID", "1000000001")
        .env("HTTPS_PROXY", &with_login(&proxy));
    let ended = cli.run(&["ask", "--json", "--task", "trading", "What do I have?"]).await;
    check(&proxy, "CONNECT broker.test:443", &ended.out, &ended);
    assert_eq!(proxy.asked().len(), 2, "the funds and the list: {:?}", proxy.asked());
    assert!(!holds(&proxy.read(), "a-token-of-the-broker"));

    // The embeddings endpoint, YouTube and the package index.
    let history = async |proxy: &ProxyServer| {
        let cli = Cli::new().env("HTTPS_PROXY", &with_login(proxy));
        let export = json!([{
            "header": "YouTube", "title": "Watched Bread", "time": "2024-01-02T00:00:00Z",
            "titleUrl": "https://www.youtube.com/watch?v=sourdough01",
        }]);
        let path = cli.folder.path().join("watch-history.json");
        std::fs::write(&path, export.to_string()).unwrap();
        let ended = cli.run(&["watch", "import", "--no-embed", path.to_str().unwrap()]).await;
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        cli
    };
    let proxy = refusing().await;
    let cli = history(&proxy).await;
    let cli = cli
        .env("TOOLWRIGHT_EMBEDDINGS_URL", "https://embed.test/v1")
        .env("TOOLWRIGHT_EMBEDDINGS_MODEL", "m")
        .env("TOOLWRIGHT_EMBEDDINGS_KEY", "a-key-for-embeddings");
    let ended = cli.run(&["watch", "embed"]).await;
    check(&proxy, "CONNECT embed.test:443", &ended.err, &ended);

    let proxy = refusing().await;
    let cli = history(&proxy).await;
    let cli = cli
        .env("YOUTUBE_API_BASE", "https://youtube.test/v3")
        .env("YOUTUBE_API_KEY", "a-key-for-youtube");
    let ended = cli.run(&["watch", "enrich"]).await;
    check(&proxy, "CONNECT youtube.test:443", &ended.err, &ended);

    let proxy = refusing().await;
    let cli = history(&proxy).await;
    let cli = cli.env("TOOLWRIGHT_PACKAGE_INDEX", "https://index.test/simple");
    let ended = cli.run(&["watch", "embed"]).await;
    check(&proxy, "CONNECT index.test:443", &ended.err, &ended);

    // The collector of telemetry.
    let proxy = refusing().await;
    let cli = Cli::new()
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector.test")
        .env("OTEL_EXPORTER_OTLP_HEADERS", "x-api-key=a-key-for-telemetry")
        .env("HTTPS_PROXY", &with_login(&proxy));
    let ended = cli.run(&["ask", "What is the weather in Paris?"]).await;
    check(&proxy, "CONNECT collector.test:443", &ended.err, &ended);
}

/// Telemetry arrives through a tunnel, and so does what is fetched; a proxy reads neither.
#[tokio::test]
async fn telemetry_arrives_through_a_tunnel() {
    let server = ModelServer::start(Script::new()).await;
    let secure = TlsServer::start(address(&server)).await;
    let proxy = ProxyServer::start(ProxyMode::Login(secure.address(), LOGIN)).await;
    let cli = Cli::new();
    let file = authority(&cli);
    let cli = cli
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector.test")
        .env("OTEL_EXPORTER_OTLP_HEADERS", "x-api-key=a-key-for-telemetry")
        .env("TOOLWRIGHT_CA_FILE", file.to_str().unwrap())
        .env("HTTPS_PROXY", &with_login(&proxy));
    let ended = cli.run(&["ask", "What is the weather in Paris?"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(proxy.asked().iter().all(|it| it == "CONNECT collector.test:443 HTTP/1.1"));
    assert!(!holds(&proxy.read(), "a-key-for-telemetry"));
    // What is no API of a collector still shows who came.
    let request = server.requests().into_iter().find(|it| it.path.ends_with("/v1/traces"));
    assert_eq!(request.unwrap().header("x-api-key"), Some("a-key-for-telemetry"));
}

/// Vectors from an endpoint behind a proxy.
#[tokio::test]
async fn vectors_come_through_a_tunnel() {
    let proxy_target = embeddings().await;
    let secure = TlsServer::start(proxy_target).await;
    let proxy = ProxyServer::start(ProxyMode::Pass(secure.address())).await;
    let cli = Cli::new().env("HTTPS_PROXY", &proxy.url());
    let file = authority(&cli);
    let rows = json!([{
        "header": "YouTube", "title": "Watched Bread", "time": "2024-01-02T00:00:00Z",
        "titleUrl": "https://www.youtube.com/watch?v=sourdough01",
    }]);
    let path = cli.folder.path().join("watch-history.json");
    std::fs::write(&path, rows.to_string()).unwrap();
    let cli = cli
        .env("TOOLWRIGHT_CA_FILE", file.to_str().unwrap())
        .env("TOOLWRIGHT_EMBEDDINGS_URL", "https://embed.test/v1")
        .env("TOOLWRIGHT_EMBEDDINGS_MODEL", "m");
    let ended = cli.run(&["watch", "import", path.to_str().unwrap(), "--json"]).await;
    assert_eq!(ended.code, Some(0), "{} {}", ended.out, ended.err);
    assert!(
        proxy.asked().iter().all(|it| it == "CONNECT embed.test:443 HTTP/1.1")
            && !proxy.asked().is_empty()
    );
    let stats: Value =
        serde_json::from_str(&cli.run(&["watch", "stats", "--json"]).await.out).unwrap();
    assert_eq!(stats["videos"], 1);
}

/// An endpoint that makes the same vector of everything.
async fn embeddings() -> SocketAddr {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut unread = Vec::new();
                while let Ok(1..) = stream.read_buf(&mut unread).await {
                    let text = String::from_utf8_lossy(&unread).into_owned();
                    let Some((_, body)) = text.split_once("\r\n\r\n") else { continue };
                    let Ok(asked) = serde_json::from_str::<Value>(body) else { continue };
                    unread.clear();
                    let count = asked["input"].as_array().unwrap().len();
                    let data: Vec<_> = (0..count)
                        .map(|it| json!({"index": it, "embedding": [0.6, 0.8]}))
                        .collect();
                    let body = json!({ "data": data }).to_string();
                    let said = format!(
                        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                        body.len()
                    );
                    stream.write_all(said.as_bytes()).await.unwrap();
                }
            });
        }
    });
    address
}

/// What is set and cannot be read is not taken for unset: nothing goes round a proxy, or without a key.
#[tokio::test]
async fn a_variable_that_is_no_text_is_an_error() {
    let server = ModelServer::start(script()).await;
    let cli = Cli::asking(&server);
    for name in [
        "HTTPS_PROXY",
        "http_proxy",
        "NO_PROXY",
        "OPENAI_API_KEY",
        "OPENAI_API_BASE",
        "TOOLWRIGHT_MODEL",
        "TOOLWRIGHT_TASK",
        "TOOLWRIGHT_DATA",
        "DATABASE_URL",
        "DHANHQ_BASE_URL",
    ] {
        let mut command = cli.command(&["ask", "hi"]);
        command.env(name, std::ffi::OsStr::from_bytes(b"http://bob:\xffhunter2@127.0.0.1:1"));
        let output = command.output().await.unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {told}");
        assert!(told.contains(&format!("variable {name} is set to what is no text")), "{told}");
        assert!(!told.contains("hunter2"), "{told}");
    }
    assert_eq!(server.requests().len(), 0);
}
