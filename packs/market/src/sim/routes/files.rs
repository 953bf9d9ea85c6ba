//! [`master`] and [`segment`]: the instrument master. Anybody may have it.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};

use crate::{
    Segment,
    sim::{
        master::Layout,
        refusal::{Refusal, absent},
        server::Desk,
    },
};

/// What a file of one segment begins with.
const OF_SEGMENT: &str = "segment-";

/// The instrument master as a file.
pub(super) async fn master(
    State(desk): State<Arc<Desk>>,
    Path(parts): Path<Vec<(String, String)>>,
) -> Result<Response, Refusal> {
    let file = parts.into_iter().find_map(|(name, value)| (name == "file").then_some(value));
    let file = file.unwrap_or_default();
    let (layout, segment) = match file.as_str() {
        "api-scrip-master.csv" => (Layout::Compact, None),
        "api-scrip-master-detailed.csv" => (Layout::Detailed, None),
        file => {
            match file.strip_prefix(OF_SEGMENT).and_then(|it| exact(it.strip_suffix(".csv")?)) {
                Some(segment) => (Layout::Detailed, Some(segment)),
                None => return Ok(absent(StatusCode::NOT_FOUND, "there is no such file")),
            }
        }
    };
    let made = tokio::task::spawn_blocking(move || desk.market().master(layout, segment)).await;
    let text = made.map_err(|_| Refusal::of("DH-908"))?;
    Ok(([(header::CONTENT_TYPE, "text/csv")], text).into_response())
}

/// The instruments of a segment: elsewhere, as with the broker.
pub(super) async fn segment(Path(parts): Path<Vec<(String, String)>>) -> Result<Redirect, Refusal> {
    let segment = parts.into_iter().find_map(|(name, value)| (name == "segment").then_some(value));
    let segment = segment.as_deref().and_then(exact).ok_or(Refusal::of("DH-905"))?;
    Ok(Redirect::temporary(&format!("/api-data/{OF_SEGMENT}{segment}.csv")))
}

/// A segment by the API's own word for it, and no other.
fn exact(word: &str) -> Option<Segment> {
    Segment::ALL.iter().copied().find(|segment| segment.as_str() == word)
}
