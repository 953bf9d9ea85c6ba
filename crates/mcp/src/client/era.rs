//! [`EraProbe`]: how a server answers the first question of the modern era decides which era is spoken.
//!
//! Only a result that names a revision of the modern era, or an error of that era, speaks for it. Servers that answer
//! everything, or that have been taught the question and not the protocol, are spoken to as before. One that is slow to
//! start is asked in the other way after a while, and its late answer to the first question is none any more.

use rmcp::{
    RoleClient,
    model::{
        ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, JsonRpcMessage, ProtocolVersion,
        RequestId, ServerJsonRpcMessage, ServerResult,
    },
    service::RxJsonRpcMessage,
    transport::Transport,
};

/// A connection over which the first question is asked.
pub(super) struct EraProbe<T> {
    transport: T,
    /// The first question.
    asked: Option<RequestId>,
    /// Whether something else was asked since: nobody waits for its answer any more.
    is_over: bool,
}

impl<T> EraProbe<T> {
    pub(super) fn new(transport: T) -> Self {
        Self { transport, asked: None, is_over: false }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for EraProbe<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let JsonRpcMessage::Request(request) = &message {
            self.is_over = !matches!(request.request, ClientRequest::DiscoverRequest(_));
            if !self.is_over {
                self.asked = Some(request.id.clone());
            }
        }
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let message = self.transport.receive().await?;
            let id = match (&message, &self.asked) {
                (JsonRpcMessage::Response(reply), Some(asked)) if reply.id == *asked => asked,
                (JsonRpcMessage::Error(reply), Some(asked)) if reply.id.as_ref() == Some(asked) => {
                    asked
                }
                _ => return Some(message),
            };
            if self.is_over {
                continue;
            }
            if is_modern(&message) {
                return Some(message);
            }
            // That is how a server says that it does not know the question.
            let error = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "server/discover", None);
            return Some(ServerJsonRpcMessage::error(error, Some(id.clone())));
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}

fn is_modern(message: &ServerJsonRpcMessage) -> bool {
    match message {
        JsonRpcMessage::Response(reply) => match &reply.result {
            ServerResult::DiscoverResult(result) => result.supported_versions.iter().any(knows),
            _ => false,
        },
        JsonRpcMessage::Error(reply)
            if reply.error.code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION =>
        {
            let supported = reply.error.data.as_ref().and_then(|it| it.get("supported"));
            let supported = supported.and_then(|it| serde_json::from_value(it.clone()).ok());
            supported.is_some_and(|it: Vec<ProtocolVersion>| it.iter().any(knows))
        }
        _ => true,
    }
}

fn knows(version: &ProtocolVersion) -> bool {
    !version.has_initialize()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::VecDeque;

    use serde_json::json;

    use super::*;

    /// A server that says these, whatever it is asked.
    struct Canned(VecDeque<ServerJsonRpcMessage>);

    impl Transport<RoleClient> for Canned {
        type Error = std::io::Error;

        fn send(
            &mut self,
            _: ClientJsonRpcMessage,
        ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
            std::future::ready(Ok(()))
        }

        async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
            self.0.pop_front()
        }

        async fn close(&mut self) -> Result<(), Self::Error> {
            Ok(())
        }
    }

    fn asking(id: u32, method: &str) -> ClientJsonRpcMessage {
        let client = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let params = if method == "initialize" { params } else { json!({}) };
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        serde_json::from_value(request).unwrap()
    }

    fn unknown(id: i64) -> ServerJsonRpcMessage {
        let error = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "unknown", None);
        ServerJsonRpcMessage::error(error, Some(RequestId::Number(id)))
    }

    #[tokio::test]
    async fn a_late_answer_to_the_first_question_is_none() {
        let begun: ServerJsonRpcMessage =
            serde_json::from_value(json!({"jsonrpc": "2.0", "id": 1, "result": {}})).unwrap();
        let said = || VecDeque::from([unknown(0), begun.clone()]);
        let mut probe = EraProbe::new(Canned(said()));
        probe.send(asking(0, "server/discover")).await.unwrap();
        probe.send(asking(1, "initialize")).await.unwrap();
        let first = probe.receive().await.unwrap();
        assert!(matches!(first, JsonRpcMessage::Response(it) if it.id == RequestId::Number(1)));
        // In time it is one.
        let mut probe = EraProbe::new(Canned(said()));
        probe.send(asking(0, "server/discover")).await.unwrap();
        assert!(matches!(probe.receive().await.unwrap(), JsonRpcMessage::Error(_)));
    }
}
