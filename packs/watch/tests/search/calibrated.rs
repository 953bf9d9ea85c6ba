//! What a relevance says, held against judged pairs with the real model: 0.5 is "as likely as not".
//!
//! The curves were fitted to the pairs of odd numbers, and not to those of even numbers. Both are scored.

use std::{collections::HashMap, path::Path};

use toolwright_embed::Local;
use toolwright_fetch::Indexes;
use toolwright_watch::{Filter, Hit, Query};

use crate::shelf::{Shelf, minute, watched};

/// What is not shown is below twice this.
const NOT_SHOWN: f32 = 0.125;

fn rows(text: &'static str) -> Vec<Vec<&'static str>> {
    text.lines().skip(1).map(|it| it.split('\t').collect()).collect()
}

async fn model() -> Local {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embed-model");
    let opened = tokio::task::spawn_blocking(move || {
        Local::fetch(&folder, &Indexes::configured(None)?, &mut |_, _| {})?;
        Local::open(folder)
    });
    opened.await.unwrap().unwrap()
}

/// A library of these videos, with vectors; and their ids, by channel and title.
async fn shelf(
    videos: &[(&'static str, &'static str)],
    model: &Local,
) -> (Shelf, HashMap<(&'static str, &'static str), String>) {
    let mut ids = HashMap::new();
    let mut all = Vec::new();
    for (channel, title) in videos {
        if !ids.contains_key(&(*channel, *title)) {
            let video = watched(ids.len(), title, channel, minute(ids.len() as i64));
            ids.insert((*channel, *title), video.id.clone());
            all.push(video);
        }
    }
    let shelf = Shelf::new();
    shelf.library.add(&all).unwrap();
    shelf.library.embed(model, &mut |_, _| {}).await.unwrap();
    (shelf, ids)
}

fn relevance(hits: &[Hit], id: &str) -> f32 {
    hits.iter().find(|it| it.video.id == id).map_or(NOT_SHOWN, |it| it.relevance)
}

/// What was said of pairs and what is so, in one half of them.
fn score(name: &str, said: &[(u32, f32, bool)]) {
    for (half, odd) in [("fitted", 1), ("held out", 0)] {
        let of: Vec<_> = said.iter().filter(|(group, ..)| group % 2 == odd).collect();
        let count = of.len() as f32;
        let brier = of.iter().map(|(_, p, is)| (p - f32::from(u8::from(*is))).powi(2)).sum::<f32>();
        let likely: Vec<_> = of.iter().filter(|(_, p, _)| *p >= 0.5).collect();
        let right = likely.iter().filter(|(.., is)| *is).count() as f32 / likely.len() as f32;
        let near: Vec<_> = of.iter().filter(|(_, p, _)| (0.4..0.6).contains(p)).collect();
        let even = near.iter().filter(|(.., is)| *is).count() as f32 / near.len() as f32;
        println!(
            "{name}, {half}: {count} pairs, Brier {:.3}; said 0.5 or more of {}, right in {right:.2}; \
             said 0.4 to 0.6 of {}, right in {even:.2}",
            brier / count,
            likely.len(),
            near.len()
        );
        assert!(count >= 75.0 && brier / count < 0.26, "{name}, {half}: {}", brier / count);
        assert!(right >= 0.7 && likely.len() >= 25, "{name}, {half}: {right} of {}", likely.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn relevance_means_what_it_says() {
    let model = model().await;
    let questions = rows(include_str!("../../judged/questions.tsv"));
    let pairs = rows(include_str!("../../judged/alike.tsv"));
    assert!(questions.len() >= 150 && pairs.len() >= 150);
    let of_questions = questions.iter().map(|it| (it[3], it[4]));
    let of_pairs = pairs.iter().flat_map(|it| [(it[2], it[3]), (it[4], it[5])]);
    let videos: Vec<_> = of_questions.chain(of_pairs).collect();
    let (shelf, ids) = shelf(&videos, &model).await;

    let mut said = Vec::new();
    for row in &questions {
        let [group, fits, text, channel, title] = row[..] else { panic!("{row:?}") };
        let query = Query { text: text.to_owned(), most: videos.len(), filter: Filter::default() };
        let hits = shelf.library.search(&query, Some(&model)).await.unwrap();
        let is = relevance(&hits, &ids[&(channel, title)]);
        said.push((group.parse().unwrap(), is, fits == "1"));
        if (text, title) == ("machine learning", "Introduction to Neural Networks") {
            assert!(is >= 0.4, "{is}");
        }
    }
    score("questions", &said);

    let mut said = Vec::new();
    for row in &pairs {
        let [group, alike, channel, title, other, its] = row[..] else { panic!("{row:?}") };
        let hits = shelf.library.similar(&ids[&(channel, title)], videos.len()).await.unwrap();
        let is = relevance(&hits.unwrap(), &ids[&(other, its)]);
        said.push((group.parse().unwrap(), is, alike == "1"));
        if title.starts_with("Python") && its == "Cooking Basics" {
            assert!(is < 0.4, "{title}: {is}");
        }
    }
    score("alike", &said);
}
