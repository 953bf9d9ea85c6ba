//! Prompts and resources of servers: what is listed, what is approved, what becomes of them.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use tempfile::TempDir;
use toolwright_core::{Attachment, AttachmentKind, ContentSource, PromptText, SourcePrompt};
use toolwright_mcp::client::{McpServer, McpServerConfig, McpTransport, PinStore, StdioCommand};

struct Fake {
    _folder: TempDir,
    server: McpServer,
}

impl Fake {
    fn new(faults: &[&str]) -> Self {
        Self::limited(faults, None)
    }

    fn limited(faults: &[&str], timeout: Option<Duration>) -> Self {
        let folder = TempDir::new().unwrap();
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/client/content_server.py");
        let script = script.to_str().unwrap().to_owned();
        let command = StdioCommand {
            program: "/usr/bin/python3".to_owned(),
            args: std::iter::once(script).chain(faults.iter().map(|it| (*it).to_owned())).collect(),
            ..StdioCommand::default()
        };
        let mut config = McpServerConfig::new("fake", McpTransport::Stdio(command));
        config.timeout = timeout;
        let server = McpServer::new(config, PinStore::in_folder(folder.path()));
        Self { _folder: folder, server }
    }

    async fn approved(faults: &[&str]) -> Self {
        let fake = Self::new(faults);
        fake.server.report().await.unwrap();
        fake.server.approve().unwrap();
        fake
    }

    async fn prompts(&self) -> Vec<SourcePrompt> {
        ContentSource::content(&self.server).await.prompts
    }

    async fn prompt(&self, name: &str, arguments: &[(&str, &str)]) -> Result<PromptText, String> {
        let arguments: BTreeMap<_, _> = arguments
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        self.server.prompt(name, arguments).await.map_err(|it| it.to_string())
    }

    async fn read(&self, uri: &str) -> Result<Vec<Attachment>, String> {
        self.server.resource(uri).await.map_err(|it| it.to_string())
    }

    async fn text(&self, uri: &str) -> String {
        self.read(uri).await.unwrap()[0].text().unwrap().to_owned()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resource_is_read_and_named_by_where_it_came_from() {
    let fake = Fake::new(&[]);
    let parts = fake.read("notes://bread").await.unwrap();
    let [part] = &parts[..] else { panic!("{parts:?}") };
    assert_eq!(part.name.as_deref(), Some("mcp:fake:notes://bread"));
    assert_eq!(part.media_type.as_str(), "text/markdown");
    assert!(part.text().unwrap().starts_with("# Rye"));
    let pixel = fake.read("notes://pixel").await.unwrap();
    assert_eq!(pixel[0].kind(), AttachmentKind::Image);
}

/// What nobody asks for is not listed: a run that needs tools alone costs no more than it did.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_listed_before_somebody_wants_to_know_and_then_once() {
    let fake = Fake::new(&[]);
    assert_eq!(fake.text("notes://asked").await, r#"["resources/read"]"#);
    fake.prompts().await;
    fake.prompts().await;
    let asked = fake.text("notes://asked").await;
    assert_eq!(asked.matches("prompts/list").count(), 1, "{asked}");
    assert_eq!(asked.matches("resources/list").count(), 1, "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_hides_nothing_and_what_cannot_be_typed_is_left_out() {
    let fake = Fake::new(&[]);
    let report = fake.server.report().await.unwrap();
    let shown: Vec<_> = report.resources.iter().map(|it| it.uri.as_str()).collect();
    assert_eq!(shown, ["notes://bread", "notes://pixel", "notes://b"]);
    assert!(!report.resources[2].name.contains(['\u{1b}', '\u{200b}']), "{:?}", report.resources);
    assert_eq!(report.left_out.len(), 1);
    assert!(report.left_out[0].starts_with("1 of its resources are left out"));
    assert_eq!(report.templates[0].uri_template, "notes://{name}");
    for prompt in fake.prompts().await {
        let said = format!("{} {}", prompt.name, prompt.description);
        assert!(!said.contains(['\u{1b}', '\u{202e}', '\u{200b}']), "{said:?}");
    }
}

/// M1 for prompts: none is called before it was approved, and none that changed.
#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_is_called_as_it_was_approved_and_no_longer() {
    let fake = Fake::new(&[]);
    let why = fake.prompt("greet", &[("name", "Ada")]).await.unwrap_err();
    assert!(why.contains("not approved yet: `toolwright mcp approve fake`"), "{why}");
    assert!(fake.prompts().await.iter().all(|it| it.withheld.is_some()));
    assert!(fake.server.report().await.unwrap().prompts.iter().all(|it| it.state == "new"));
    fake.server.approve().unwrap();
    let said = fake.prompt("greet", &[("name", "Ada")]).await.unwrap();
    assert_eq!(said.text, "Say hello to {'name': 'Ada'}.");
    // It says something else of itself from now on.
    assert_eq!(fake.text("notes://change").await, "changed");
    // What a server tells by itself is heard beside its answers, and so perhaps after them.
    let refused = async {
        loop {
            match fake.prompt("greet", &[("name", "Ada")]).await {
                Err(why) => break why,
                Ok(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
    };
    let why = tokio::time::timeout(Duration::from_secs(60), refused).await.expect("it is heard");
    assert!(why.contains("changed since it was approved"), "{why}");
    assert!(fake.prompt("dialogue", &[]).await.is_ok(), "the others go on");
    let report = fake.server.report().await.unwrap();
    let changed: Vec<_> = report.prompts.iter().filter(|it| it.state == "changed").collect();
    let [greet] = &changed[..] else { panic!("{changed:?}") };
    assert_eq!(greet.name, "fake:greet");
    assert!(greet.definition.description.as_ref().unwrap().contains("Approve whatever"));
    assert_eq!(greet.approved.as_ref().unwrap().description.as_deref(), Some("Greets somebody."));
    fake.server.approve().unwrap();
    assert!(fake.prompt("greet", &[("name", "Ada")]).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_server_returns_for_a_prompt_is_its_own_words() {
    let fake = Fake::approved(&[]).await;
    let said = fake.prompt("dialogue", &[]).await.unwrap().text;
    assert!(
        said.contains("[what an assistant would say, in the server's words]\nYes, the user"),
        "{said}"
    );
    for (name, why) in [
        ("nothing", "it says nothing"),
        ("asks", "only a tool may ask"),
        ("hidden", "a name that cannot be shown"),
        ("no-such", "there is no such prompt"),
    ] {
        let error = fake.prompt(name, &[]).await.unwrap_err();
        assert!(error.contains(why), "{name}: {error}");
    }
    // By a name that can be typed.
    let evil = fake.prompts().await.into_iter().find(|it| it.name.contains("vil")).unwrap();
    assert!(evil.name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_'), "{}", evil.name);
    assert!(fake.prompt(&evil.name, &[]).await.unwrap().text.contains("This is"));
}

/// M9, M10: whatever it lists or returns has an end, and its tools are not hurt by it.
#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_end_is_cut_and_told() {
    for (fault, counts, why) in [
        ("flood", (256, 2_048, 256), "more than 2048 resources"),
        ("loop", (8, 3, 1), "its list of resources has more than 100 pages"),
        ("wrong", (0, 0, 0), "it does not list its resources when asked to"),
    ] {
        let fake = Fake::approved(&[fault]).await;
        let report = fake.server.report().await.unwrap();
        let listed = (report.prompts.len(), report.resources.len(), report.templates.len());
        assert_eq!(listed, counts, "{fault}");
        assert!(report.left_out.iter().any(|it| it.contains(why)), "{:?}", report.left_out);
        assert_eq!(report.problem, None);
        assert_eq!(report.tools.len(), 1);
    }
    let fake = Fake::new(&["untemplated"]);
    let report = fake.server.report().await.unwrap();
    assert_eq!((report.resources.len(), report.templates.len()), (3, 0));
    assert!(!report.left_out.iter().any(|it| it.contains("template")), "{:?}", report.left_out);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resource_that_is_too_much_or_none_is_refused_and_the_next_is_read() {
    let fake = Arc::new(Fake::new(&[]));
    for (uri, why) in [
        ("notes://huge", "longer than 8 MiB"),
        ("notes://many", "it has 1000 parts"),
        ("notes://nonsense", "no resource"),
        ("notes://no-such", "it answered with an error (-32002): no such ␛[2Jresource"),
        ("notes://\n", "no address of a resource"),
    ] {
        let error = fake.read(uri).await.unwrap_err();
        assert!(error.contains(why), "{uri}: {error}");
    }
    assert!(fake.text("notes://bread").await.contains("Rye"));
    let slow = Fake::limited(&[], Some(Duration::from_millis(300)));
    let error = slow.read("notes://hang").await.unwrap_err();
    assert!(error.contains("did not answer within 300ms"), "{error}");
}

/// A server may have nothing but prompts and resources.
#[tokio::test(flavor = "multi_thread")]
async fn one_without_tools_is_approved_for_its_prompts() {
    let fake = Fake::approved(&["bare"]).await;
    assert_eq!(fake.server.definitions(), []);
    assert!(fake.prompt("dialogue", &[]).await.is_ok());
}
