//! [`router`]: the endpoints.

mod account;
mod chains;
mod charts;
mod feed;
mod files;

use std::sync::Arc;

use axum::{
    Router,
    http::{Method, StatusCode, Uri},
    middleware::{from_fn, from_fn_with_state},
    response::Response,
    routing::{get, post},
};
use serde_json::Value;

use super::{
    fault::faults,
    gate::gate,
    limits::Class,
    market::Market,
    refusal::{Refusal, absent, reply},
    server::Desk,
};

/// The endpoints. Each can also be asked for under `/simulate/{fault}`.
pub(super) fn router(desk: &Arc<Desk>) -> Router {
    let plain = endpoints(desk);
    let faulty = Router::new().nest("/simulate/{fault}", endpoints(desk));
    faulty.merge(plain).fallback(no_path)
}

fn endpoints(desk: &Arc<Desk>) -> Router {
    let guarded = |routes: Router<Arc<Desk>>, class: Class| {
        routes.route_layer(from_fn_with_state((Arc::clone(desk), class), gate))
    };
    let quotes = Router::new()
        .route("/v2/marketfeed/ltp", post(feed::ltp))
        .route("/v2/marketfeed/ohlc", post(feed::ohlc))
        .route("/v2/marketfeed/quote", post(feed::quote));
    let charts = Router::new()
        .route("/v2/charts/historical", post(charts::historical))
        .route("/v2/charts/intraday", post(charts::intraday));
    let chains = Router::new()
        .route("/v2/optionchain", post(chains::chain))
        .route("/v2/optionchain/expirylist", post(chains::expiries));
    let account = Router::new()
        .route("/v2/profile", get(account::profile))
        .route("/v2/positions", get(account::positions))
        .route("/v2/holdings", get(account::holdings))
        .route("/v2/fundlimit", get(account::funds));
    let files = Router::new()
        .route("/v2/instrument/{segment}", get(files::segment))
        .route("/api-data/{file}", get(files::master))
        .route("/v2/master/{file}", get(files::master));
    Router::new()
        .merge(guarded(quotes, Class::Quotes))
        .merge(guarded(charts, Class::Charts))
        .merge(guarded(chains, Class::Chains))
        .merge(guarded(account, Class::Account))
        .merge(files)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn(faults))
        .with_state(Arc::clone(desk))
}

async fn no_path(method: Method, uri: Uri) -> Response {
    let message =
        format!("{method} {} does not exist: this simulator places no orders", uri.path());
    absent(StatusCode::NOT_FOUND, &message)
}

async fn no_method(method: Method, uri: Uri) -> Response {
    let message = format!("{} cannot be asked for with {method}", uri.path());
    absent(StatusCode::METHOD_NOT_ALLOWED, &message)
}

/// An answer made away from the threads that serve others: years of minutes take a while.
async fn made(
    desk: Arc<Desk>,
    make: impl FnOnce(Market) -> Result<Value, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    let made = tokio::task::spawn_blocking(move || make(desk.market())).await;
    let body = made.map_err(|_| Refusal::of("DH-908"))??;
    Ok(reply(StatusCode::OK, &body))
}

/// A number as the broker writes it: without a fraction, where there is none.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}
