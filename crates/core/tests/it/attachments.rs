//! What is attached to messages and results.

use proptest::prelude::*;
use serde_json::json;
use toolwright_core::{
    Attachment, AttachmentError, AttachmentKind, ContentPart, Digest, MAX_ATTACHMENT, Message,
    Outcome, Output, UserMessage, content_parts,
};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and some more";

fn picture() -> Attachment {
    Attachment::new(PNG, None, Some("a.png")).unwrap()
}

/// What bytes are is what they say themselves; what is said of them must agree.
#[test]
fn an_attachment_is_what_its_bytes_say() {
    for (bytes, said, name, is) in [
        (PNG, None, None, "image/png"),
        (PNG, Some("image/png; charset=x"), None, "image/png"),
        (b"\xff\xd8\xff\xe0", Some("image/jpg"), None, "image/jpeg"),
        (b"%PDF-1.7 ...", None, Some("x.txt"), "application/pdf"),
        (
            b"PK\x03\x04...",
            Some("application/vnd.oasis.opendocument.text"),
            None,
            "application/vnd.oasis.opendocument.text",
        ),
        (b"RIFF\0\0\0\0WEBPVP8 ", None, None, "image/webp"),
        (b"RIFF\0\0\0\0WAVEfmt ", Some("audio/x-wav"), None, "audio/wav"),
        (b"a,b\n1,2\n", None, Some("table.CSV"), "text/csv"),
        (b"just words", None, None, "text/plain"),
        (b"\0\x01\x02", None, Some("x.csv"), "application/octet-stream"),
        (b"{}", Some("application/json"), None, "application/json"),
        (b"words", Some("application/octet-stream"), None, "text/plain"),
        (b"\0\x01", Some("application/octet-stream"), None, "application/octet-stream"),
        (PNG, Some("application/octet-stream"), None, "image/png"),
        (b"{}", Some("application/vnd.api+json"), None, "application/vnd.api+json"),
        // Words may begin as pictures and sound do.
        (b"BMW and others", Some("text/plain"), None, "text/plain"),
        (b"ID3 is a tag", None, None, "text/plain"),
        (b"BM\x46\0\0\0\0\0\0\0\x36", None, None, "image/bmp"),
        (b"ID3\x04\0\0", None, None, "audio/mpeg"),
    ] as [(&[u8], _, _, _); 19]
    {
        let attachment = Attachment::new(bytes, said, name).unwrap();
        assert_eq!(attachment.media_type.as_str(), is, "{said:?} {name:?}");
        assert_eq!(attachment.size, bytes.len() as u64);
    }
}

#[test]
fn what_is_not_what_it_says_is_refused() {
    let refused = |bytes: &[u8], said| Attachment::new(bytes, Some(said), None).unwrap_err();
    for (bytes, said) in [
        (&b"PK\x03\x04 a ZIP"[..], "image/png"),
        (b"GIF89a", "image/png"),
        (b"<svg>", "image/png"),
        (b"MZ\x90", "application/pdf"),
        (PNG, "text/plain"),
    ] {
        assert!(matches!(refused(bytes, said), AttachmentError::Mislabelled { .. }), "{said}");
    }
    for said in ["", "png", "image/", "image/p ng", "a/b/c", "im\nage/png"] {
        assert!(matches!(refused(PNG, said), AttachmentError::MediaType(_)), "{said:?}");
    }
    assert_eq!(Attachment::new(&b""[..], None, None), Err(AttachmentError::Empty));
    let size = MAX_ATTACHMENT + 1;
    let large = vec![0_u8; usize::try_from(size).unwrap()];
    assert_eq!(Attachment::new(large, None, None), Err(AttachmentError::TooLarge { size }));
}

/// Events name what is attached and never carry it.
#[test]
fn a_message_says_what_is_attached_and_not_the_bytes() {
    let said = UserMessage::new("What is this?").with_attachment(picture());
    let written = serde_json::to_value(Message::User(said.clone())).unwrap();
    assert_eq!(
        written,
        json!({"role": "user", "content": "What is this?", "attachments": [{
            "digest": Digest::of(PNG).to_string(), "media_type": "image/png",
            "size": PNG.len(), "name": "a.png", "at": 13,
        }]})
    );
    let read: Message = serde_json::from_value(written).unwrap();
    assert_eq!(read, Message::User(said));
    let [attachment] = read.attachments() else { panic!("one is attached") };
    assert!(attachment.bytes().is_none());
    assert_eq!(attachment.fill(b"others"[..].into()), Err(AttachmentError::Changed));
    attachment.fill(PNG.into()).unwrap();
    assert_eq!(attachment.bytes().map(|it| &**it), Some(PNG));
    // All copies have them.
    assert!(read.clone().attachments().iter().all(|it| it.bytes().is_some()));
    // A message without any is what it was.
    let plain = serde_json::to_value(Message::user("Hi")).unwrap();
    assert_eq!(plain, json!({"role": "user", "content": "Hi"}));
    let result = Message::tool("a", "draw", Outcome::ok("Done.").with_attachments(vec![picture()]));
    let back: Message = serde_json::from_str(&serde_json::to_string(&result).unwrap()).unwrap();
    assert_eq!(back, result);
}

#[test]
fn a_tool_gives_back_a_file() {
    let (output, attachments) = Output::file(PNG, "chart.png").unwrap().into_parts();
    assert_eq!(output, Output::Text("Attached: chart.png (image/png, 22 bytes)".into()));
    assert_eq!(
        attachments.iter().map(Attachment::kind).collect::<Vec<_>>(),
        [AttachmentKind::Image]
    );
    assert!(Output::file(Vec::new(), "empty.png").unwrap_err().message().contains("it is empty"));
}

#[test]
fn a_digest_has_one_form() {
    let digest = Digest::of(PNG).to_string();
    assert_eq!(digest.parse(), Ok(Digest::of(PNG)));
    for wrong in [format!("+{}", &digest[1..]), digest[1..].to_owned(), "g".repeat(64)] {
        assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
    }
}

fn url(media_type: &str, bytes: &[u8]) -> String {
    use base64::{Engine, prelude::BASE64_STANDARD};
    format!("data:{media_type};base64,{}", BASE64_STANDARD.encode(bytes))
}

/// What others attach, in their form, is attached here, where it stood.
#[test]
fn parts_of_others_are_read() {
    let content = json!([
        {"type": "text", "text": "Look: "},
        {"type": "image_url", "image_url": {"url": url("image/png", PNG), "detail": "low"}},
        {"type": "text", "text": "and listen."},
        {"type": "input_audio", "input_audio": {"data": "//s=", "format": "mp3"}},
        {"type": "file", "file": {"filename": "a.csv", "file_data": url("text/csv", b"a,b")}},
    ]);
    let read: Message =
        serde_json::from_value(json!({"role": "user", "content": content})).unwrap();
    assert_eq!(read.content(), "Look: and listen.");
    let attached = read.attachments().iter().map(|it| (it.media_type.as_str(), it.at));
    let expected = [("image/png", 6), ("audio/mpeg", 17), ("text/csv", 17)];
    assert_eq!(attached.collect::<Vec<_>>(), expected);
    assert!(read.attachments().iter().all(|it| it.bytes().is_some()));
    let result = json!({"role": "tool", "tool_call_id": "a", "content": content});
    let result: Message = serde_json::from_value(result).unwrap();
    assert_eq!(result.attachments(), read.attachments());
}

/// What is not understood is no text: a prompt has no JSON in it that nobody wrote.
#[test]
fn a_part_that_is_not_understood_is_an_error() {
    let part = json!({"type": "hologram", "data": "x"});
    let remote =
        json!({"type": "image_url", "image_url": {"url": "https://example.org/a.png?k=1"}});
    for (role, content, says) in [
        (
            "user",
            json!([{"type": "text", "text": "a"}, part]),
            "content[1]: a part of type `hologram`",
        ),
        ("user", json!([remote]), "content[0]: `https://example.org/a.png` is not fetched"),
        ("user", json!([1]), "content[0]: it has no `type`"),
        ("user", json!({"text": "x"}), "`content` must be a text"),
        ("user", json!([{"type": "image_url"}]), "content[0]: `image_url.url` is missing"),
        ("user", json!([{"type": "file", "file": {"file_id": "f"}}]), "send `file_data`"),
        ("system", json!([{"type": "image_url", "image_url": url("image/png", PNG)}]), "attached"),
        ("assistant", json!([part]), "`hologram`"),
        ("tool", json!([part]), "`hologram`"),
    ] {
        let read = serde_json::from_value::<Message>(json!({"role": role, "content": content}));
        let error = read.unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    // Data that a tool returned is none of these.
    let data = json!({"role": "tool", "content": [{"id": 1}, {"id": 2}]});
    let data: Message = serde_json::from_value(data).unwrap();
    assert_eq!(data.content(), r#"[{"id":1},{"id":2}]"#);
}

proptest! {
    /// What is written as a data URL is read as what it was; whatever else is written is no panic.
    #[test]
    fn data_urls_are_read_to_the_letter(
        bytes in prop::collection::vec(any::<u8>(), 1..80),
        noise in "(data:)?[a-z/;,=+ 0-9:]{0,24}",
    ) {
        let written = url("application/octet-stream", &bytes);
        let read = Attachment::from_data_url(&written, None).unwrap();
        prop_assert_eq!(read.bytes().map(|it| &**it), Some(&bytes[..]));
        let cut = &written[..written.len() - 1];
        prop_assert!(Attachment::from_data_url(cut, None).is_err());
        let longer = format!("{written}\n");
        prop_assert!(Attachment::from_data_url(&longer, None).is_err());
        let _ = Attachment::from_data_url(&noise, None);
    }

    /// Whatever stands where, all text is there once, and all that is attached, in order.
    #[test]
    fn parts_are_the_text_and_what_is_attached(
        text in "[aü\u{1f600}\n ]{0,12}",
        places in prop::collection::vec(0_usize..20, 0..5),
    ) {
        let attachments: Vec<_> = places.iter().map(|at| {
            let mut it = picture();
            it.at = *at;
            it
        }).collect();
        let parts: Vec<_> = content_parts(&text, &attachments).collect();
        let told: String = parts.iter().filter_map(|it| match it {
            ContentPart::Text(text) => Some(*text),
            ContentPart::Attachment(_) => None,
        }).collect();
        prop_assert_eq!(told, text.clone());
        let attached = parts.iter().filter(|it| matches!(it, ContentPart::Attachment(_))).count();
        prop_assert_eq!(attached, attachments.len());
        // One that stands in order stands where it says.
        if let ([only], Some(at)) = (&places[..], places.first()) {
            let before: usize = parts.iter()
                .take_while(|it| matches!(it, ContentPart::Text(_)))
                .map(|it| match it { ContentPart::Text(text) => text.chars().count(), _ => 0 })
                .sum();
            prop_assert_eq!(before, (*only).min(text.chars().count()), "{}", at);
        }
    }

    #[test]
    fn a_digest_reads_as_it_is_written(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let digest = Digest::of(&bytes);
        prop_assert_eq!(digest.to_string().parse(), Ok(digest));
    }
}
