//! The web pack and OpenAPI documents in the real binary: a page is read by a process of its own, an API is asked
//! with a key that nobody sees.

use serde_json::json;
use toolwright_testkit::{
    ModelServer, Reply, Script,
    http::{Answer, Server},
};

use crate::harness::Cli;

#[tokio::test]
async fn a_page_is_fetched_where_its_address_was_said_and_not_where_it_was_made_up() {
    let site = Server::new(|_| {
        Answer::whole("text/html", format!("<title>T</title><main>{}</main>", "words ".repeat(60)))
    });
    let (page, host) = (format!("http://{}/page", site.address), site.address);
    let call = |id: &str, url: &str| {
        let arguments = json!({"url": url}).to_string();
        Reply::calls([(id.to_owned(), "fetch_url".to_owned(), arguments)])
    };
    let script = Script::new()
        .reply(call("a", &page))
        .reply(call("b", &format!("{page}?q=hunter2")))
        .reply(Reply::text("It has words."));
    let model = ModelServer::start(script).await;
    let cli = Cli::asking(&model).configured(&format!("[web]\nallow_hosts = [\"{host}\"]\n"));
    let ended = cli.run(&["ask", "--json", "--task", "web", &format!("What is on {page}?")]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.contains("words words"), "{}", ended.out);
    assert!(ended.out.contains("not made up or put together"), "{}", ended.out);
    let refused =
        cli.run(&["tools", "call", "fetch_url", r#"{"url": "http://127.0.0.1:1/"}"#]).await;
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("allow_hosts"), "{}", refused.err);
}

#[tokio::test]
async fn an_api_is_tools_and_its_key_is_seen_by_nobody() {
    // It repeats the key, as APIs do that want to be helpful.
    let api = Server::new(|request| {
        let key = request.headers.get("x-api-key").cloned().unwrap_or_default();
        Answer::whole("application/json", json!({"name": "Rex", "your_key": key}).to_string())
    });
    let document = json!({"openapi": "3.1.0", "paths": {"/pets/{id}": {"get": {"operationId": "getPet",
        "parameters": [{"name": "id", "in": "path", "schema": {"type": "integer"}}]}}}});
    let cli = Cli::new().env("PETS_KEY", "canary-5522-of-the-pets");
    let file = cli.folder.path().join("pets.json");
    std::fs::write(&file, document.to_string()).unwrap();
    let cli = cli.configured(&format!(
        "[openapi.pets]\nspec = {file:?}\nbase_url = \"http://{}\"\n\
         auth = {{ header = \"X-Api-Key\", env = \"PETS_KEY\" }}\n",
        api.address
    ));
    let ended = cli.run(&["tools", "call", "pets__getPet", r#"{"id": 7}"#]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.contains("Rex"), "{}", ended.out);
    assert!(!format!("{}{}", ended.out, ended.err).contains("canary-5522"), "{}", ended.out);
    let ended = cli.run(&["tools", "call", "pets__getPet", r#"{"id": "../x"}"#]).await;
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("invalid arguments"), "{}", ended.err);
}
