//! Servers on this machine are found, and nothing else is taken for one.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright_models::{Candidate, Found, HttpSettings, Vendor, discover, discover_at};

use crate::served::{Answer, Asked, End, Served};

/// A server that has these at these paths, and nothing elsewhere.
fn having<const N: usize>(paths: [(&'static str, Value); N]) -> Served {
    Served::new(move |asked| answer(&paths, asked))
}

fn answer(paths: &[(&str, Value)], asked: &Asked) -> Answer {
    match paths.iter().find(|(path, _)| *path == asked.path) {
        Some((_, body)) => Answer::json(200, body),
        None => Answer::missing(),
    }
}

/// Longer than a machine takes that has other things to do.
const LONG: Duration = Duration::from_secs(20);
/// Where somebody never answers, so that it is waited for to the end.
const SHORT: Duration = Duration::from_secs(2);

async fn found(candidates: impl IntoIterator<Item = Candidate>) -> Vec<Found> {
    found_within(LONG, candidates).await
}

async fn found_within(
    limit: Duration,
    candidates: impl IntoIterator<Item = Candidate>,
) -> Vec<Found> {
    discover_at(&HttpSettings::from_vars(&|_| None), candidates, limit).await
}

/// Every server there is at this address.
fn all(address: &str) -> [Candidate; 4] {
    [
        Candidate::ollama(address),
        Candidate::lm_studio(address),
        Candidate::llama_cpp(address),
        Candidate::vllm(address),
    ]
}

/// The one server that is found at an address, as JSON and without the address.
async fn only(server: &Served, below: &str) -> Value {
    let found = found(all(&server.origin)).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].base_url, format!("{}{below}", server.origin));
    assert!(Vendor::named(found[0].provider).is_some_and(|it| it.base_url.ends_with(below)));
    let mut found = serde_json::to_value(&found[0]).unwrap();
    found.as_object_mut().unwrap().remove("base_url");
    found
}

fn shown(asked: &Asked) -> Value {
    match asked.body()["model"].as_str().unwrap_or_default() {
        "qwen3:8b" => json!({
            "capabilities": ["completion", "tools", "thinking"],
            "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40960,
                "clip.context_length": 77},
            "license": "x".repeat(100_000),
        }),
        "llava" => json!({
            "capabilities": ["completion", "vision"],
            "parameters": "stop \"</s>\"\nnum_ctx                        8192",
            "model_info": {"llama.context_length": 32768},
        }),
        "minilm" => json!({"capabilities": ["embedding"]}),
        _ => json!({"modelfile": "old"}),
    }
}

fn tags() -> Value {
    json!({"models": [
        {"name": "qwen3:8b", "model": "qwen3:8b", "size": 1}, {"name": "llava"}, {"model": "minilm"},
        {"name": "old"}, {"name": "bad\u{1b}[31m"},
    ]})
}

#[tokio::test]
async fn ollama_and_what_its_models_can_do() {
    let server = Served::new(|asked| match asked.path.as_str() {
        "/api/tags" => Answer::json(200, &tags()),
        "/api/version" => Answer::json(200, &json!({"version": "0.12.0"})),
        "/api/show" => Answer::json(200, &shown(asked)),
        // The same server has this as well, and is found once for all that.
        "/v1/models" => {
            let model = json!({"id": "qwen3:8b", "object": "model", "owned_by": "library"});
            Answer::json(200, &json!({"object": "list", "data": [model]}))
        }
        _ => Answer::missing(),
    });
    let wanted = json!({"provider": "ollama", "version": "0.12.0", "models": [
        {"name": "qwen3:8b", "window": 40960, "tools": true, "images": false, "reasoning": true},
        {"name": "llava", "window": 8192, "tools": false, "images": true, "reasoning": false},
        {"name": "old"},
    ]});
    assert_eq!(only(&server, "").await, wanted);
    let methods = server.asked();
    assert!(methods.iter().all(|it| (it.method == "POST") == (it.path == "/api/show")));
}

/// A model whose description does not come in time is there all the same.
#[tokio::test]
async fn ollama_with_descriptions_that_do_not_come() {
    let server = Served::new(|asked| match asked.path.as_str() {
        "/api/tags" => Answer::json(200, &json!({"models": [{"name": "a"}, {"name": "b"}]})),
        "/api/version" => Answer::json(200, &json!({"version": "0.12.0"})),
        _ => Answer::json(200, &json!({})).end(End::Hang),
    });
    let found = found_within(SHORT, [Candidate::ollama(&server.origin)]).await;
    let names: Vec<_> = found[0].models.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
}

#[tokio::test]
async fn lm_studio_newer_and_older() {
    let model = |id: &str, kind: &str, more: Value| {
        let mut model = json!({"id": id, "object": "model", "type": kind, "state": "not-loaded",
            "max_context_length": 32768});
        model.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        model
    };
    let data = [
        model("qwen", "llm", json!({"capabilities": ["tool_use"], "loaded_context_length": 4096})),
        model("llava", "vlm", json!({"capabilities": []})),
        model("nomic", "embeddings", json!({})),
        model("plain", "llm", json!({})),
    ];
    let server = having([("/api/v0/models", json!({"object": "list", "data": data}))]);
    let wanted = json!({"provider": "lmstudio", "models": [
        {"name": "qwen", "window": 4096, "tools": true, "images": false},
        {"name": "llava", "window": 32768, "tools": false, "images": true},
        {"name": "plain", "window": 32768, "images": false},
    ]});
    assert_eq!(only(&server, "/v1").await, wanted);
    let model = json!({"id": "qwen", "object": "model", "owned_by": "organization_owner"});
    let unknown = json!({"error": "Unexpected endpoint or method. (GET /api/v0/models)"});
    let list = json!({"object": "list", "data": [model]});
    let server = having([("/api/v0/models", unknown), ("/v1/models", list)]);
    let wanted = json!({"provider": "lmstudio", "models": [{"name": "qwen"}]});
    assert_eq!(only(&server, "/v1").await, wanted);
}

#[tokio::test]
async fn llama_cpp_with_one_model_and_with_several() {
    let model = |id: &str, meta: Value| json!({"id": id, "object": "model", "owned_by": "llamacpp", "meta": meta});
    let props = json!({
        "default_generation_settings": {"n_ctx": 65536}, "modalities": {"vision": true, "audio": false},
        "chat_template_caps": {"supports_tools": true}, "build_info": "b8681-Debian",
    });
    let one = json!({"object": "list", "data": [model("/models/qwen.gguf", json!({"n_ctx_train": 131_072}))]});
    // It lists them at Ollama's path, too, and does not speak Ollama's API.
    let tags = json!({"models": [{"name": "/models/qwen.gguf", "model": "/models/qwen.gguf"}]});
    let server = having([("/v1/models", one), ("/props", props.clone()), ("/api/tags", tags)]);
    let wanted = json!({"provider": "llamacpp", "version": "b8681-Debian", "models": [
        {"name": "/models/qwen.gguf", "window": 65536, "tools": true, "images": true},
    ]});
    assert_eq!(only(&server, "/v1").await, wanted);
    let data = [model("a", json!({"n_ctx_train": 1024})), model("b", json!(null))];
    let two = json!({"object": "list", "data": data});
    let server = having([("/v1/models", two), ("/props", props)]);
    let found = only(&server, "/v1").await;
    assert_eq!(found["models"], json!([{"name": "a", "window": 1024}, {"name": "b"}]));
}

#[tokio::test]
async fn vllm_and_how_much_its_models_read() {
    let model = |id: &str, most: Value| json!({"id": id, "object": "model", "owned_by": "vllm", "max_model_len": most});
    let data = [model("Qwen/Qwen3-8B", json!(32768)), model("adapter", Value::Null)];
    let list = json!({"object": "list", "data": data});
    let server = having([("/v1/models", list), ("/version", json!({"version": "0.11.0"}))]);
    let wanted = json!({"provider": "vllm", "version": "0.11.0", "models": [
        {"name": "Qwen/Qwen3-8B", "window": 32768}, {"name": "adapter"},
    ]});
    assert_eq!(only(&server, "/v1").await, wanted);
}

#[tokio::test]
async fn nothing_else_is_taken_for_one() {
    let list = |owner: &str| {
        let model = json!({"id": "m", "object": "model", "owned_by": owner});
        json!({"object": "list", "data": [model]})
    };
    let everywhere = |body: Value| Served::new(move |_| Answer::json(200, &body));
    let others = [
        Served::new(|_| Answer::page()),
        Served::new(|_| Answer::missing()),
        Served::new(|_| Answer { status: 401, ..Answer::json(401, &json!({"error": "no"})) }),
        Served::new(|_| Answer::json(302, &json!({})).header("location", "/elsewhere")),
        Served::new(|_| Answer::json(200, &json!({})).end(End::Cut)),
        having([("/v1/models", list("somebody"))]),
        having([("/v1/models", json!({"object": "list", "data": []}))]),
        having([("/v1/models", json!({"data": [{"id": "m", "owned_by": "vllm"}]}))]),
        having([("/api/tags", tags())]),
        having([("/api/tags", json!({"models": [7]})), ("/api/version", json!({"version": "1"}))]),
        having([("/api/tags", json!({"models": "x"})), ("/api/version", json!({"version": "1"}))]),
        having([("/api/tags", tags()), ("/api/version", json!({"version": {"major": 1}}))]),
        having([("/api/v0/models", json!({"object": "list", "data": [{"id": "m"}]}))]),
        everywhere(json!({})),
        everywhere(json!({"status": "ok", "version": "1.0", "data": [], "models": {}})),
        everywhere(json!(["a", "b"])),
        everywhere(json!("text")),
    ];
    for (number, server) in others.iter().enumerate() {
        assert_eq!(found(all(&server.origin)).await, [], "number {number}");
        assert!(!server.asked().is_empty());
    }
    // Nobody is there, or it is no address.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(found(all(&format!("http://{gone}"))).await, []);
    assert_eq!(found(all("no address")).await, []);
}

/// Answers without end, and servers that never answer, keep nobody from being found.
#[tokio::test]
async fn who_does_not_answer_holds_nobody_up() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", silent.local_addr().unwrap());
    let endless = Served::new(|_| {
        let mut answer = Answer::json(200, &json!({})).end(End::Hang);
        answer.pieces = vec![b"[1,".to_vec(); 3];
        answer
    });
    let large = Served::new(|_| {
        let mut answer = Answer::json(200, &json!({}));
        answer.pieces = vec![vec![b' '; 1 << 20]; 6];
        answer
    });
    let model = json!({"id": "m", "object": "model", "owned_by": "vllm", "max_model_len": 1});
    let list = json!({"object": "list", "data": [model]});
    let server = having([("/v1/models", list)]);
    let candidates = [silent, endless.origin.clone(), large.origin.clone(), server.origin.clone()];
    let found = found_within(SHORT, candidates.iter().flat_map(|it| all(it))).await;
    let names: Vec<_> = found.iter().map(|it| (it.provider, it.models[0].name.as_str())).collect();
    assert_eq!(names, [("vllm", "m")]);
}

#[tokio::test]
async fn no_proxy_is_asked() {
    let proxy = Served::new(|_| Answer::json(200, &tags()));
    let address = proxy.origin.clone();
    let vars = move |name: &'static str| {
        name.to_ascii_uppercase().contains("PROXY").then(|| address.clone())
    };
    let settings = HttpSettings::from_vars(&vars);
    for address in ["http://model.invalid:11434", "https://model.invalid"] {
        assert_eq!(discover_at(&settings, all(address), LONG).await, []);
    }
    assert!(proxy.asked().is_empty());
}

/// What runs on this machine is a matter of the machine's; that it is looked for harms nobody.
#[tokio::test]
async fn the_usual_places() {
    for found in discover(&HttpSettings::from_vars(&|_| None)).await {
        assert!(Vendor::named(found.provider).is_some(), "{found:?}");
    }
}
