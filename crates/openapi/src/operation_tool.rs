//! [`OperationTool`]: an operation as a tool.

use std::{sync::Arc, time::Duration};

use futures_core::future::BoxFuture;
use serde_json::Value;
use toolwright_core::{RunContext, Tool, ToolError, ToolErrorKind, ToolResult, ToolSpec};
use toolwright_http::{Client, Url};
use toolwright_timeout::timeout;

use crate::{ApiAuth, document::Operation, request::ApiRequest, response};

/// How long an answer may take.
const TIME: Duration = Duration::from_secs(30);

/// Where an API is, and how it is asked. All its tools share it.
pub(crate) struct Api {
    pub(crate) base: Url,
    pub(crate) client: Client,
    pub(crate) auth: Option<ApiAuth>,
}

/// An operation as a tool.
pub(crate) struct OperationTool {
    spec: ToolSpec,
    operation: Operation,
    api: Arc<Api>,
}

impl OperationTool {
    pub(crate) fn new(name: String, operation: Operation, api: Arc<Api>) -> Self {
        let about = match operation.description.is_empty() {
            true => format!("{} {}", operation.method, operation.path),
            false => operation.description.clone(),
        };
        let spec = ToolSpec::new(name, about, operation.schema.clone())
            .effect(operation.effect())
            .timeout(TIME + Duration::from_secs(5));
        Self { spec, operation, api }
    }

    async fn ask(&self, arguments: &Value) -> ToolResult {
        let ApiRequest { mut url, headers, body } =
            ApiRequest::new(&self.api.base, &self.operation, arguments)?;
        if let Some(ApiAuth::Query(name, secret)) = &self.api.auth {
            url.query_pairs_mut().append_pair(name, secret);
        }
        let mut request =
            self.api.client.request(self.operation.method.clone(), url).headers(headers);
        if let Some(ApiAuth::Header(name, secret)) = &self.api.auth {
            request = request.header(name.clone(), secret.clone());
        }
        if let Some(body) = body {
            request = request.body(body);
        }
        let sent = request.send().await.map_err(|error| {
            let host = self.api.base.host_str().unwrap_or_default();
            let advice = error.advice_sentence().map(|it| format!(". {it}")).unwrap_or_default();
            let told = format!("{host} gave no answer: {}{advice}", error.reason);
            match error.is_lasting() {
                true => ToolError::new(told),
                false => ToolError::temporary(told),
            }
        })?;
        response::result(sent, self.spec.effect).await
    }
}

impl Tool for OperationTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        _context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            timeout(TIME, self.ask(&arguments)).await.unwrap_or_else(|_| {
                let reason = format!("the API did not answer within {} seconds", TIME.as_secs());
                Err(ToolError::new(reason).of_kind(ToolErrorKind::TimedOut))
            })
        })
    }
}
