//! One reply, as the bytes that go over the wire, streamed and whole.

use toolwright_benches::scenario::{Call, quoted};

const USAGE: &str = r#"{"prompt_tokens":120,"completion_tokens":30,"total_tokens":150}"#;
const SSE_HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n";

/// Into how many deltas the answer is cut.
const TEXT_PIECES: usize = 20;
/// How many characters of a call's arguments are in one delta.
const ARGUMENTS_PIECE: usize = 8;

/// A reply built beforehand, in both of its forms.
pub(crate) struct Reply {
    /// Head and events, each event a chunk of its own; the head is in the first piece and the
    /// end of the body in the last.
    pub(crate) events: Vec<Vec<u8>>,
    /// `events` in one piece.
    pub(crate) stream: Vec<u8>,
    /// The form without streaming.
    pub(crate) whole: Vec<u8>,
}

impl Reply {
    /// A reply that calls tools.
    pub(crate) fn calls(model: &str, calls: &[Call]) -> Self {
        let mut deltas = vec![r#"{"role":"assistant","content":null}"#.to_owned()];
        let mut whole = Vec::new();
        for (index, Call { id, name, arguments, .. }) in calls.iter().enumerate() {
            deltas.push(format!(
                r#"{{"tool_calls":[{{"index":{index},"id":"{id}","type":"function","function":{{"name":"{name}","arguments":""}}}}]}}"#
            ));
            deltas.extend(pieces(arguments, ARGUMENTS_PIECE).map(|piece| {
                format!(
                    r#"{{"tool_calls":[{{"index":{index},"function":{{"arguments":{}}}}}]}}"#,
                    quoted(&piece)
                )
            }));
            whole.push(format!(
                r#"{{"id":"{id}","type":"function","function":{{"name":"{name}","arguments":{}}}}}"#,
                quoted(arguments)
            ));
        }
        let message =
            format!(r#"{{"role":"assistant","content":null,"tool_calls":[{}]}}"#, whole.join(","));
        Self::build(model, &deltas, &message, "tool_calls")
    }

    /// A reply that answers.
    pub(crate) fn text(model: &str, text: &str) -> Self {
        let mut deltas = vec![r#"{"role":"assistant","content":""}"#.to_owned()];
        let piece = text.chars().count().div_ceil(TEXT_PIECES);
        deltas.extend(
            pieces(text, piece).map(|piece| format!(r#"{{"content":{}}}"#, quoted(&piece))),
        );
        let message = format!(r#"{{"role":"assistant","content":{}}}"#, quoted(text));
        Self::build(model, &deltas, &message, "stop")
    }

    fn build(model: &str, deltas: &[String], message: &str, finish: &str) -> Self {
        let chunk = |rest: &str| completion("chat.completion.chunk", model, rest);
        let choice = |kind: &str, value: &str, finish: &str| {
            format!(
                r#""choices":[{{"index":0,"{kind}":{value},"logprobs":null,"finish_reason":{finish}}}]"#
            )
        };
        let finish = quoted(finish);
        let mut data: Vec<_> =
            deltas.iter().map(|delta| chunk(&choice("delta", delta, "null"))).collect();
        data.push(chunk(&choice("delta", "{}", &finish)));
        data.push(chunk(&format!(r#""choices":[],"usage":{USAGE}"#)));
        data.push("[DONE]".to_owned());

        let mut events: Vec<_> = data.iter().map(|data| framed(data)).collect();
        if let Some(first) = events.first_mut() {
            first.splice(..0, SSE_HEAD.bytes());
        }
        if let Some(last) = events.last_mut() {
            last.extend_from_slice(b"0\r\n\r\n");
        }
        let rest = format!(r#"{},"usage":{USAGE}"#, choice("message", message, &finish));
        let body = completion("chat.completion", model, &rest);
        Self { stream: events.concat(), events, whole: plain("200 OK", &body) }
    }
}

/// A reply with a body of known length.
pub(crate) fn plain(status: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn completion(object: &str, model: &str, rest: &str) -> String {
    format!(
        r#"{{"id":"chatcmpl-bench0001","object":"{object}","created":1760000000,"model":"{model}","system_fingerprint":"fp_bench",{rest}}}"#
    )
}

/// One server-sent event as one chunk of a chunked body.
fn framed(data: &str) -> Vec<u8> {
    let event = format!("data: {data}\n\n");
    format!("{:x}\r\n{event}\r\n", event.len()).into_bytes()
}

fn pieces(text: &str, length: usize) -> impl Iterator<Item = String> {
    let chars: Vec<_> = text.chars().collect();
    let pieces: Vec<_> = chars.chunks(length.max(1)).map(String::from_iter).collect();
    pieces.into_iter()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use toolwright_benches::scenario::Scenario;

    use super::*;

    fn data(reply: &Reply) -> Vec<String> {
        let stream = String::from_utf8(reply.stream.clone()).unwrap();
        let (_, body) = stream.split_once("\r\n\r\n").unwrap();
        let lines = body.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.map(str::to_owned).collect()
    }

    #[test]
    fn the_deltas_of_an_answer_add_up_to_it() {
        let reply = Reply::text("nifty", Scenario::Nifty.expected());
        let data = data(&reply);
        let (done, chunks) = data.split_last().unwrap();
        assert_eq!(done, "[DONE]");
        let text: String = chunks
            .iter()
            .map(|chunk| serde_json::from_str::<Value>(chunk).unwrap())
            .filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
            .collect();
        assert_eq!(text, Scenario::Nifty.expected());
    }

    #[test]
    fn the_whole_form_has_the_calls_and_the_length_it_claims() {
        let turns = Scenario::Parallel.turns();
        let reply = Reply::calls("parallel", &turns[0]);
        let whole = String::from_utf8(reply.whole).unwrap();
        let (head, body) = whole.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("content-length: {}", body.len())));
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["choices"][0]["message"]["tool_calls"].as_array().unwrap().len(), 8);
        assert_eq!(body["choices"][0]["finish_reason"], "tool_calls");
    }
}
