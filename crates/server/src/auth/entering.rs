//! [`check`]: lets requests in, or not, and has told what became of them.

use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use http::{HeaderValue, header, request::Parts};

use super::{
    Identity, Scope, Way,
    audit::Record,
    head::{is_known, peer, route, row, wants_page},
    refusal,
    revocable::Revocable,
    visitor::Visitor,
};
use crate::{
    ApiError,
    routes::{Need, Row},
    server::Service,
};

/// Lets requests in, or not.
pub(crate) async fn check(
    State(service): State<Service>,
    request: Request,
    next: Next,
) -> Response {
    let (mut head, body) = request.into_parts();
    let gate = service.gate();
    let row = row(&head);
    let record = Record::of(gate.from(peer(&head), &head), &mut head, row).await;
    let refused = match gate.exchange(&head).await {
        Some(Ok(response)) => {
            is_known(&head);
            record.signed_in(Some(&Identity::operator(Way::Link)));
            return response;
        }
        Some(Err(refused)) => {
            // A link is followed twice by going back, or by a tab that is opened again.
            if gate.check_names(&head).is_ok() && gate.knows_browser(&head.headers).await {
                return Redirect::to("/").into_response();
            }
            refused
        }
        None if gate.is_for_all(&head, row) => match gate.check_names(&head) {
            Ok(()) => {
                head.extensions.insert(record);
                return next.run(Request::from_parts(head, body)).await;
            }
            Err(refused) => refused,
        },
        None => match entered(&service, &head, row, &record).await {
            Ok(visitor) => return served(&service, visitor, head, body, record, next).await,
            Err(refused) => refused,
        },
    };
    record.refused(refused.status());
    let page = wants_page(&head).then(|| refusal::page(gate, &head, &refused));
    let mut response = refused.into_response();
    if let Some(page) = page {
        *response.body_mut() = Body::from(page);
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static(refusal::KIND));
    }
    response
}

/// Who it is, and that they may do this, and it can be done.
async fn entered(
    service: &Service,
    head: &Parts,
    row: Option<&Row>,
    record: &Record,
) -> Result<Visitor, ApiError> {
    let visitor = service.gate().look(head).await?;
    record.is_by(&visitor.who);
    allowed(&visitor.who, head, row)?;
    let is_kept = row.is_some_and(Row::is_kept);
    if is_kept && !service.health().keeps(service.host().store()).await {
        return Err(ApiError::no_store());
    }
    Ok(visitor)
}

/// Serves somebody who was let in.
async fn served(
    service: &Service,
    Visitor { who, shown }: Visitor,
    mut head: Parts,
    body: Body,
    record: Record,
    next: Next,
) -> Response {
    is_known(&head);
    head.extensions.insert(who);
    head.extensions.insert(record.clone());
    let response = next.run(Request::from_parts(head, body)).await;
    let (head, body) = response.into_parts();
    record.served(service.host().store(), head.status, &head.headers).await;
    let response = Response::from_parts(head, body);
    match shown {
        Some(shown) => {
            let service = service.clone();
            response.map(|body| Body::new(Revocable::new(body, service, shown)))
        }
        None => response,
    }
}

/// Whether somebody may ask for this. What is no route at all is for everybody who is known: the page's files.
fn allowed(who: &Identity, head: &Parts, row: Option<&Row>) -> Result<(), ApiError> {
    match row.map(|row| row.need) {
        Some(Need::Open | Need::Nothing | Need::Known) => Ok(()),
        Some(Need::Scope(scope)) => who.require(scope),
        None if route(head).is_none() => Ok(()),
        None => who.require(Scope::Admin),
    }
}
