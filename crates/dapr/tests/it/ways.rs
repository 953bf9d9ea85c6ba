//! The ways to a sidecar on another machine: TLS, and proxies.

use std::net::SocketAddr;

use toolwright_core::{ModelErrorKind, ModelResponse};
use toolwright_dapr::{DaprConfig, DaprModel};
use toolwright_http::HttpSettings;
use toolwright_testkit::{
    ProxyMode, ProxyServer,
    tls::{CA, TlsServer},
};

use crate::support::{More, Running, TOKEN, ask, question};

/// Settings of nobody's but the test's: with this proxy, and with the tests' own authority.
fn through(proxy: &str) -> HttpSettings {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, CA).unwrap();
    let settings = HttpSettings::from_vars(&|_| None).with_ca_file(file.path()).unwrap();
    settings.with_proxy(proxy).unwrap()
}

fn config(endpoint: &str, http: HttpSettings) -> DaprConfig {
    let mut config = DaprConfig::new("llm");
    (config.endpoint, config.http) = (endpoint.to_owned(), http);
    config
}

async fn says(config: DaprConfig) -> String {
    let model = DaprModel::new(config).unwrap();
    ask(&model, &question("Hello"), &[], More::default()).await.unwrap().text
}

#[tokio::test]
async fn a_sidecar_behind_tls_is_asked() {
    let running = Running::saying([ModelResponse::text("Yes.")]).await;
    let secure = TlsServer::start(running.grpc).await;
    let endpoint = format!("https://localhost:{}", secure.address().port());
    let mut config = config(&endpoint, through("off"));
    config.api_token = Some(TOKEN.to_owned());
    assert_eq!(says(config).await, "Yes.");
}

/// gRPC goes through a tunnel, encrypted or not: a proxy that is told whole addresses speaks no HTTP/2.
#[tokio::test]
async fn a_sidecar_behind_a_proxy_is_asked() {
    let running = Running::saying(vec![ModelResponse::text("Yes."); 2]).await;
    let secure = TlsServer::start(running.grpc).await;
    let asked = async |to: SocketAddr, endpoint: &str, token: Option<&str>| {
        let proxy = ProxyServer::start(ProxyMode::Pass(to)).await;
        let mut config = config(endpoint, through(&proxy.url()));
        config.api_token = token.map(str::to_owned);
        assert_eq!(says(config).await, "Yes.");
        let is_seen = proxy.read().windows(TOKEN.len()).any(|it| it == TOKEN.as_bytes());
        assert!(!is_seen, "the proxy never reads the token");
        proxy.asked()
    };
    let plain = asked(running.grpc, "http://dapr.test:50001", None).await;
    assert_eq!(plain, ["CONNECT dapr.test:50001 HTTP/1.1"]);
    let encrypted = asked(secure.address(), "https://api.test", Some(TOKEN)).await;
    assert_eq!(encrypted, ["CONNECT api.test:443 HTTP/1.1"]);
}

#[tokio::test]
async fn no_proxy_reads_the_token() {
    let mut config = config("http://dapr.test:50001", through("http://127.0.0.1:9"));
    config.api_token = Some(TOKEN.to_owned());
    let error = DaprModel::new(config).err().unwrap();
    assert_eq!(error.kind, ModelErrorKind::NotConfigured);
    assert!(error.message.contains("was not sent") && !error.message.contains(TOKEN), "{error:?}");
}
