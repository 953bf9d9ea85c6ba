//! What a picture costs that very many messages share: `cargo run --release -p toolwright-store --example
//! shared_picture`.
//!
//! Writes a conversation of 10,000 questions with one picture of 2 MB, loads it, and tells how long that took
//! and how large the database is.

use std::{sync::Arc, time::Instant};

use toolwright_core::{
    Attachment, AttachmentError, CallValidator, Conversation, ConversationId, Journal, Limits,
    Message, ModelResponse, ResultMode, ReviewMode, Run, RunConfig, RunId, Timestamp, ToolCatalog,
    ToolChoice, ToolSpec, UserMessage,
};
use toolwright_store::{Store, StoreLocation};

const MESSAGES: usize = 10_000;
const SIZE: usize = 2 << 20;

/// No tools at all.
struct Nothing;

impl ToolCatalog for Nothing {
    fn find(&self, _: &str) -> Option<&ToolSpec> {
        None
    }

    fn specs(&self) -> Box<dyn Iterator<Item = &ToolSpec> + '_> {
        Box::new(std::iter::empty())
    }

    fn violations(&self, _: &ToolSpec, _: &serde_json::Value) -> Vec<String> {
        Vec::new()
    }

    fn unknown(&self, name: &str) -> String {
        name.to_owned()
    }
}

fn picture() -> Result<Attachment, AttachmentError> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    // What compresses would be no picture.
    let mut state = 1_u32;
    bytes.extend(
        std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(SIZE),
    );
    Attachment::new(bytes, None, Some("picture.png"))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("shared.db");
    let location = StoreLocation::Sqlite(file.clone());
    let store = Store::open(&location).await?;
    let (id, picture) = (ConversationId::from("conv_shared"), picture()?);
    let lease = store.acquire(&id).await?;
    let gate = CallValidator::new(&Nothing, &[]);
    let began = Instant::now();
    for number in 0..MESSAGES {
        let question =
            UserMessage::new(format!("Question {number}")).with_attachment(picture.clone());
        let setup = RunConfig {
            id: RunId::new(format!("run_{number}")),
            conversation_id: id.clone(),
            after: None,
            model: "test:model".into(),
            history: Conversation::new(),
            messages: vec![Message::User(question)],
            queued: None,
            limits: Limits::default(),
            first_choice: ToolChoice::Auto,
            mode: ResultMode::Loop,
            review: ReviewMode::Off,
            judge: false,
            price: None,
            output: None,
            tools_off: Vec::new(),
        };
        let at = Timestamp(number as u64);
        let (mut run, mut events) = Run::start(setup, at);
        events.extend(run.model_called(at)?);
        events.extend(run.model_replied(ModelResponse::text("Yes."), &gate, at)?);
        lease.append(&events).await?;
    }
    println!("written: {MESSAGES} questions in {:.1?}", began.elapsed());
    drop(lease);
    drop(store);
    let store = Store::open(&location).await?;
    let lease = store.acquire(&id).await?;
    for _ in 0..3 {
        let began = Instant::now();
        let state = lease.load().await?;
        let (took, messages) = (began.elapsed(), state.history.messages());
        let began = Instant::now();
        let digest = picture.digest;
        let bytes: Option<Arc<[u8]>> = store.attachment(&id, &digest).await?;
        println!(
            "loaded: {} messages in {took:.1?}; the picture, {} bytes, in {:.1?}",
            messages.len(),
            bytes.map_or(0, |it| it.len()),
            began.elapsed()
        );
    }
    println!("database: {:.1} MB", std::fs::metadata(&file)?.len() as f64 / 1e6);
    Ok(())
}
