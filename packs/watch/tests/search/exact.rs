//! What is found by vectors, against looking at each of them.

use proptest::prelude::*;
use toolwright_watch::{Filter, Hit, Query};

use crate::{
    grams::{Given, unit},
    shelf::{Shelf, minute, watched},
};

/// Holds no word, so that vectors alone count.
const QUESTION: &str = "🦀";

/// Titles `#0`, `#1`, …, each watched at these minutes.
fn filled(times: &[Vec<i64>]) -> Shelf {
    let shelf = Shelf::new();
    let all: Vec<_> = times
        .iter()
        .enumerate()
        .flat_map(|(number, at)| {
            at.iter().map(move |it| watched(number, &format!("#{number}"), "", minute(*it)))
        })
        .collect();
    shelf.library.add(&all).unwrap();
    shelf
}

fn numbers(hits: &[Hit]) -> Vec<usize> {
    hits.iter().map(|it| it.video.title.as_ref().unwrap()[1..].parse().unwrap()).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Those the filter lets through, the nearest first, of equals the first.
fn brute(given: &Given, times: &[Vec<i64>], (from, before): (i64, i64)) -> Vec<usize> {
    let mut all: Vec<(f32, usize)> = (0..times.len())
        .filter(|it| times[*it].iter().any(|at| (from..before).contains(at)))
        .map(|it| (cosine(&given.question, &given.vectors[it]), it))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.into_iter().map(|it| it.1).collect()
}

async fn found(
    shelf: &Shelf,
    given: &Given,
    most: usize,
    (from, before): (i64, i64),
) -> Vec<usize> {
    let filter = Filter { from: Some(minute(from)), before: Some(minute(before)), channels: None };
    let query = Query { text: QUESTION.to_owned(), most, filter };
    numbers(&shelf.library.search(&query, Some(given)).await.unwrap())
}

/// Vectors between 0.5 and 1 of the way along each axis: all of them are near enough to be shown. Of few
/// different ones, so that some are equal.
fn vectors() -> impl Strategy<Value = Vec<Vec<f32>>> {
    let one = prop::collection::vec((4u8..8).prop_map(|it| f32::from(it) / 8.0), 4);
    prop::collection::vec(one.prop_map(unit), 1..150)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn as_looking_at_each_of_them(
        vectors in vectors(),
        seed in prop::collection::vec(prop::collection::vec(0i64..50, 1..4), 150),
        from in 0i64..40,
        length in 1i64..50,
        most in 1usize..40,
    ) {
        let times = &seed[..vectors.len()];
        let question = unit(vec![0.5, 0.6, 0.7, 0.8]);
        let given = Given { vectors, question };
        let shelf = filled(times);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let range = (from, from + length);
        let found = runtime.block_on(async {
            shelf.embed(&given).await;
            found(&shelf, &given, most, range).await
        });
        let mut exact = brute(&given, times, range);
        exact.truncate(most);
        prop_assert_eq!(found.len(), exact.len());
        for (found, exact) in found.iter().zip(&exact) {
            let near = |it: &usize| cosine(&given.question, &given.vectors[*it]);
            // Not the same one where two differ by less than is kept.
            prop_assert!((near(found) - near(exact)).abs() < 1e-4, "{} {}", found, exact);
        }
    }
}

#[tokio::test]
async fn of_equals_the_first_comes_first() {
    let vector = unit(vec![0.3, 0.4, 0.5]);
    let given = Given { vectors: vec![vector.clone(); 200], question: vector };
    let times: Vec<Vec<i64>> = (0..200).map(|it| vec![it]).collect();
    let shelf = filled(&times);
    shelf.embed(&given).await;
    assert_eq!(found(&shelf, &given, 5, (0, 200)).await, [0, 1, 2, 3, 4]);
    assert_eq!(found(&shelf, &given, 5, (100, 200)).await, [100, 101, 102, 103, 104]);
}

fn random(seed: &mut u64) -> f32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 40) as f32 / (1 << 24) as f32 - 0.5
}

#[tokio::test]
async fn hardly_one_in_a_hundred_is_missed_among_many() {
    const MANY: usize = 12_000;
    let mut seed = 3;
    let topics: Vec<Vec<f32>> =
        (0..40).map(|_| (0..64).map(|_| random(&mut seed)).collect()).collect();
    let mut near = |topic: &[f32]| unit(topic.iter().map(|it| it + random(&mut seed)).collect());
    let vectors: Vec<_> = (0..MANY).map(|it| near(&topics[it % 40])).collect();
    let questions: Vec<_> = topics.iter().map(|it| near(it)).collect();
    let times: Vec<Vec<i64>> = (0..MANY as i64).map(|it| vec![it]).collect();
    let shelf = filled(&times);
    let mut given = Given { vectors, question: questions[0].clone() };
    shelf.embed(&given).await;
    let (mut hit, mut all) = (0, 0);
    for question in questions {
        given.question = question;
        for range in [(0, MANY as i64), (3000, 7000)] {
            let found = found(&shelf, &given, 10, range).await;
            let exact = brute(&given, &times, range);
            hit += exact[..10].iter().filter(|it| found.contains(it)).count();
            all += 10;
        }
    }
    assert!(hit * 100 >= all * 99, "{hit} of {all}");
}
