//! [`Incoming`]: one line of JSON-RPC 2.0, read; and [`RpcError`], why a request was not answered.

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_core::ActionableError;

/// What the other end said in one line.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// It wants an answer.
    Request { id: Value, method: String, params: Value },
    /// It wants none.
    Notification { method: String, params: Value },
    /// It answers.
    Response { id: Value, outcome: Result<Value, Value> },
}

impl Incoming {
    /// Reads a line. What is wrong with it is told under the id that it has, if it has one.
    pub(crate) fn parse(line: &[u8]) -> Result<Self, (Value, RpcError)> {
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            (Value::Null, RpcError::parse(&format!("this is no JSON: {error}")))
        })?;
        let Value::Object(mut fields) = value else {
            let wrong = RpcError::invalid_request("a message is one JSON object; send one a line");
            return Err((Value::Null, wrong));
        };
        let id = fields.remove("id");
        let is_id = |it: &Value| it.is_string() || it.is_number() || it.is_null();
        if id.as_ref().is_some_and(|it| !is_id(it)) {
            let wrong = RpcError::invalid_request("`id` must be a text or a number");
            return Err((Value::Null, wrong));
        }
        let told = id.clone().unwrap_or_default();
        if fields.get("jsonrpc").is_some_and(|it| it != "2.0") {
            return Err((told, RpcError::invalid_request("`jsonrpc` must be \"2.0\"")));
        }
        let params = fields.remove("params").unwrap_or_default();
        match (fields.remove("method"), id) {
            (Some(Value::String(method)), Some(id)) => Ok(Self::Request { id, method, params }),
            (Some(Value::String(method)), None) => Ok(Self::Notification { method, params }),
            (None, Some(id)) => match (fields.remove("result"), fields.remove("error")) {
                (_, Some(error)) => Ok(Self::Response { id, outcome: Err(error) }),
                (Some(result), None) => Ok(Self::Response { id, outcome: Ok(result) }),
                (None, None) => {
                    Err((told, RpcError::invalid_request("it has neither a method nor a result")))
                }
            },
            _ => Err((told, RpcError::invalid_request("`method` must be a text"))),
        }
    }
}

/// Why a request was not answered: what happened, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RpcError {
    code: i32,
    message: String,
    advice: Option<String>,
    kind: Option<Value>,
}

impl RpcError {
    fn new(code: i32, message: &str) -> Self {
        Self { code, message: message.to_owned(), advice: None, kind: None }
    }

    pub(crate) fn parse(message: &str) -> Self {
        Self::new(-32700, message)
    }

    pub(crate) fn invalid_request(message: &str) -> Self {
        Self::new(-32600, message)
    }

    pub(crate) fn no_method(method: &str) -> Self {
        let method = toolwright_core::truncate_line(method, 100);
        Self::new(-32601, &format!("there is no method `{method}` here"))
    }

    pub(crate) fn invalid_params(message: &str) -> Self {
        Self::new(-32602, message)
    }

    pub(crate) fn internal(message: &str) -> Self {
        Self::new(-32603, message)
    }

    pub(crate) fn not_found(message: &str) -> Self {
        Self::new(-32002, message)
    }

    /// What went wrong somewhere below.
    pub(crate) fn of(error: &dyn ActionableError) -> Self {
        Self::internal(&error.to_string()).advice(error.advice())
    }

    pub(crate) fn advice(mut self, advice: Option<impl Into<String>>) -> Self {
        self.advice = advice.map(Into::into);
        self
    }

    /// The same with the kind of failure, for programs.
    pub(crate) fn kind(mut self, kind: Value) -> Self {
        self.kind = Some(kind);
        self
    }

    /// As it is written. Editors show the message and nothing else, so it says what to do, too.
    pub(crate) fn json(&self) -> Value {
        let message = match &self.advice {
            Some(advice) => format!("{}. {advice}", self.message.trim_end_matches('.')),
            None => self.message.clone(),
        };
        let error = json!({"code": self.code, "message": message});
        match (&self.advice, &self.kind) {
            (None, None) => error,
            (advice, kind) => with(error, "data", json!({"advice": advice, "failure": kind})),
        }
    }
}

/// An object with one more field.
pub(crate) fn with(mut object: Value, field: &str, value: impl Into<Value>) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(field.to_owned(), value.into());
    }
    object
}

/// The parameters of a method.
pub(crate) fn params<T: for<'de> Deserialize<'de>>(params: Value) -> Result<T, RpcError> {
    let params = if params.is_null() { json!({}) } else { params };
    serde_json::from_value(params)
        .map_err(|error| RpcError::invalid_params(&format!("the parameters are wrong: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(line: &str) -> i32 {
        Incoming::parse(line.as_bytes()).unwrap_err().1.code
    }

    #[test]
    fn what_is_no_message_is_told_by_its_code() {
        for (line, wanted) in [
            ("", -32700),
            ("{", -32700),
            ("[]", -32600),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}]", -32600),
            ("1", -32600),
            ("{}", -32600),
            ("{\"id\":1}", -32600),
            ("{\"id\":{},\"method\":\"x\"}", -32600),
            ("{\"id\":1,\"method\":7}", -32600),
            ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"x\"}", -32600),
        ] {
            assert_eq!(code(line), wanted, "{line}");
        }
        assert_eq!(code(&"[".repeat(100_000)), -32700);
    }

    #[test]
    fn a_message_is_known_by_what_it_has() {
        let parse = |line: &str| Incoming::parse(line.as_bytes()).unwrap();
        assert!(matches!(parse(r#"{"id":1,"method":"a"}"#), Incoming::Request { .. }));
        assert!(matches!(parse(r#"{"method":"a"}"#), Incoming::Notification { .. }));
        let Incoming::Response { outcome, .. } = parse(r#"{"id":1,"result":null}"#) else {
            panic!("a response")
        };
        assert_eq!(outcome, Ok(Value::Null));
        let Incoming::Response { outcome, .. } = parse(r#"{"id":1,"error":{"code":1}}"#) else {
            panic!("a response")
        };
        assert!(outcome.is_err());
    }

    #[test]
    fn an_error_says_what_to_do() {
        let error = RpcError::internal("It broke.").advice(Some("mend it"));
        let told = error.json();
        assert_eq!(told["message"], "It broke. mend it");
        assert_eq!(told["data"]["advice"], "mend it");
    }
}
