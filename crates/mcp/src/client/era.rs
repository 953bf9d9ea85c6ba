//! [`EraProbe`]: how a server answers the first question of the modern era decides which era is spoken.
//!
//! Only a result that names a revision of the modern era, or an error of that era, speaks for it. Servers that answer
//! everything, or that have been taught the question and not the protocol, are spoken to as before.

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
    /// What was asked last.
    asked: Option<RequestId>,
}

impl<T> EraProbe<T> {
    pub(super) fn new(transport: T) -> Self {
        Self { transport, asked: None }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for EraProbe<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let JsonRpcMessage::Request(request) = &message
            && matches!(request.request, ClientRequest::DiscoverRequest(_))
        {
            self.asked = Some(request.id.clone());
        }
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let message = self.transport.receive().await?;
        let id = match (&message, &self.asked) {
            (JsonRpcMessage::Response(reply), Some(asked)) if reply.id == *asked => asked,
            (JsonRpcMessage::Error(reply), Some(asked)) if reply.id.as_ref() == Some(asked) => {
                asked
            }
            _ => return Some(message),
        };
        if is_modern(&message) {
            return Some(message);
        }
        // That is how a server says that it does not know the question.
        let error = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "server/discover", None);
        Some(ServerJsonRpcMessage::error(error, Some(id.clone())))
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
