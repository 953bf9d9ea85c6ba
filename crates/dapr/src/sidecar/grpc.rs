//! [`answer`]: Dapr's service over gRPC.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{Request, Response};
use http_body_util::Full;
use tonic::{
    Status,
    body::Body,
    server::{Grpc, UnaryService},
};
use tonic_prost::ProstCodec;

use super::{
    Door, Inner,
    accept::{Visitor, body},
    fault::Fault,
};
use crate::{CONVERSE, LARGEST, METADATA, SERVICE, proto};

/// What comes before a message: whether it is compressed, and its length.
const FRAME: usize = 5;

/// Answers a call.
pub(super) async fn answer<D: Door>(
    inner: Arc<Inner<D>>,
    visitor: Arc<Visitor<D::Peer>>,
    request: Request<hyper::body::Incoming>,
) -> Response<Body> {
    match called(inner, visitor, request).await {
        Ok(response) => response,
        Err(fault) => fault.grpc().into_http(),
    }
}

async fn called<D: Door>(
    inner: Arc<Inner<D>>,
    visitor: Arc<Visitor<D::Peer>>,
    request: Request<hyper::body::Incoming>,
) -> Result<Response<Body>, Fault> {
    let (head, incoming) = request.into_parts();
    inner.admit(&visitor, &head).await?;
    let path = head.uri.path().to_owned();
    if path != CONVERSE && path != METADATA {
        let method = path.strip_prefix(SERVICE).unwrap_or(path.trim_start_matches('/'));
        return Err(Fault::unspoken(&format!("the method {method}")));
    }
    let whole = body(incoming, LARGEST + FRAME).await?;
    let request = Request::from_parts(head, Full::new(whole));
    Ok(match path.as_str() {
        METADATA => unary(Metadata(inner), request).await,
        _ => unary(Converse(inner), request).await,
    })
}

async fn unary<S, Q, R>(service: S, request: Request<Full<Bytes>>) -> Response<Body>
where
    S: UnaryService<Q, Response = R>,
    Q: prost::Message + Default + 'static,
    R: prost::Message + 'static,
{
    let codec = ProstCodec::<R, Q>::default();
    Grpc::new(codec).max_decoding_message_size(LARGEST).unary(service, request).await
}

type Answered<R> = BoxFuture<'static, Result<tonic::Response<R>, Status>>;

struct Converse<D>(Arc<Inner<D>>);

impl<D: Door> UnaryService<proto::ConversationRequestAlpha2> for Converse<D> {
    type Response = proto::ConversationResponseAlpha2;
    type Future = Answered<Self::Response>;

    fn call(&mut self, asked: tonic::Request<proto::ConversationRequestAlpha2>) -> Self::Future {
        let inner = self.0.clone();
        Box::pin(async move {
            let answered = inner.answer(asked.into_inner()).await;
            answered.map(tonic::Response::new).map_err(|fault| fault.grpc())
        })
    }
}

struct Metadata<D>(Arc<Inner<D>>);

impl<D: Door> UnaryService<proto::GetMetadataRequest> for Metadata<D> {
    type Response = proto::GetMetadataResponse;
    type Future = Answered<Self::Response>;

    fn call(&mut self, _: tonic::Request<proto::GetMetadataRequest>) -> Self::Future {
        let told = self.0.conversing.metadata();
        Box::pin(std::future::ready(Ok(tonic::Response::new(told))))
    }
}
