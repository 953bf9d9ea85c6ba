//! What the API answers.

use std::collections::HashMap;

use serde::Deserialize;

use super::length;
use crate::{Channel, library::Learned};

#[derive(Deserialize)]
struct Answer {
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    id: String,
    snippet: Option<Snippet>,
    #[serde(rename = "contentDetails")]
    details: Option<Details>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Snippet {
    title: Option<String>,
    channel_id: Option<String>,
    channel_title: Option<String>,
}

#[derive(Deserialize)]
struct Details {
    duration: Option<String>,
}

/// What an answer says, by the ids of the videos. Nothing, where it is no answer of the API.
pub(super) fn read(body: &[u8]) -> Option<HashMap<String, Learned>> {
    let answer: Answer = serde_json::from_slice(body).ok()?;
    Some(answer.items.into_iter().map(|item| (item.id.clone(), learned(item))).collect())
}

fn learned(item: Item) -> Learned {
    let said = |text: Option<String>| text.filter(|it| !it.trim().is_empty());
    let duration = item.details.and_then(|it| it.duration);
    let seconds = duration.and_then(|it| length::seconds(&it));
    let Some(snippet) = item.snippet else { return Learned { seconds, ..Learned::default() } };
    let id = said(snippet.channel_id);
    let channel = said(snippet.channel_title).map(|name| Channel { id, name });
    Learned { title: said(snippet.title), channel, seconds }
}
