//! Days, where the person is.

use serde_json::{Value, json};

use crate::support::{Desk, seen};

/// The ids found from one day to another.
async fn found(desk: &Desk, from: Option<&str>, to: Option<&str>) -> Vec<String> {
    let arguments = json!({"query": "python", "date_from": from, "date_to": to, "n_results": 50});
    let data = desk.data("search_videos_by_topic", arguments).await;
    let id = |it: &Value| it["id"].as_str().unwrap().to_owned();
    let mut ids: Vec<_> = data["videos"].as_array().unwrap().iter().map(id).collect();
    ids.sort();
    ids
}

fn python(id: &str, at: &str) -> crate::support::Seen {
    let at: jiff::Zoned = at.parse().unwrap();
    seen(id, "Python").at(&at.timestamp().to_string())
}

#[tokio::test]
async fn both_ends_of_a_month_are_in_it() {
    let desk = Desk::with(
        &[
            python("before-0000", "2024-11-30T23:59:59[Europe/Berlin]"),
            python("first-00000", "2024-12-01T00:00[Europe/Berlin]"),
            python("last-000000", "2024-12-31T23:59:59[Europe/Berlin]"),
            python("behind-0000", "2025-01-01T00:00[Europe/Berlin]"),
        ],
        "2025-01-15T12:00[Europe/Berlin]",
        None,
    );
    let december = (Some("2024-12-01"), Some("2024-12-31"));
    assert_eq!(found(&desk, december.0, december.1).await, ["first-00000", "last-000000"]);
    assert_eq!(found(&desk, december.0, None).await, ["behind-0000", "first-00000", "last-000000"]);
    assert_eq!(found(&desk, None, december.1).await, ["before-0000", "first-00000", "last-000000"]);
    assert_eq!(found(&desk, Some("2024-11-30"), Some("2024-11-30")).await, ["before-0000"]);
    // The same moments, five hours further west.
    let west = Desk::with(
        &[
            python("before-0000", "2024-11-30T23:59:59[Europe/Berlin]"),
            python("first-00000", "2024-12-01T00:00[Europe/Berlin]"),
            python("last-000000", "2024-12-31T23:59:59[Europe/Berlin]"),
            python("behind-0000", "2025-01-01T00:00[Europe/Berlin]"),
        ],
        "2025-01-15T12:00[America/New_York]",
        None,
    );
    assert_eq!(found(&west, december.0, december.1).await, ["behind-0000", "last-000000"]);
}

#[tokio::test]
async fn a_day_on_which_clocks_change_is_a_whole_day() {
    let desk = Desk::with(
        &[
            python("spring-0000", "2025-03-30T00:00[Europe/Berlin]"),
            python("spring-2359", "2025-03-30T23:59[Europe/Berlin]"),
            python("autumn-0000", "2025-10-26T00:00[Europe/Berlin]"),
            python("autumn-0230", "2025-10-26T02:30+01:00[Europe/Berlin]"),
            python("autumn-2359", "2025-10-26T23:59[Europe/Berlin]"),
            python("monday-0000", "2025-10-27T00:00[Europe/Berlin]"),
        ],
        "2025-11-15T12:00[Europe/Berlin]",
        None,
    );
    let spring = found(&desk, Some("2025-03-30"), Some("2025-03-30")).await;
    assert_eq!(spring, ["spring-0000", "spring-2359"]);
    let autumn = found(&desk, Some("2025-10-26"), Some("2025-10-26")).await;
    assert_eq!(autumn, ["autumn-0000", "autumn-0230", "autumn-2359"]);
}

#[tokio::test]
async fn days_that_are_none_are_told() {
    let desk = Desk::of(&[seen("abc123xyz45", "Python")]);
    let told = async |from: &str, to: &str| {
        let arguments = json!({"query": "python", "date_from": from, "date_to": to});
        desk.text("search_videos_by_topic", arguments).await
    };
    assert_eq!(
        told("2024-13-01", "2024-12-31").await,
        "I couldn't understand the date '2024-13-01': write it as YYYY-MM-DD."
    );
    assert_eq!(
        told("2024-12-31", "2024-12-01").await,
        "The start date 2024-12-31 is after the end date 2024-12-01: give the earlier one as date_from."
    );
    assert!(
        told("", "").await.starts_with("I found 1 video"),
        "nothing is no date, and no mistake"
    );
}

#[tokio::test]
async fn a_dated_search_tells_days_and_their_years() {
    let desk = Desk::of(&[
        seen("abc123xyz45", "Python One").from("A").at("2024-12-05T12:00:00Z"),
        seen("def456uvw78", "Python Two").from("A").at("2023-12-05T12:00:00Z"),
        seen("ghi789rst01", "Python Three").from("A").at("2025-01-13T12:00:00Z"),
    ]);
    let dated = json!({"query": "python", "date_from": "2020-01-01"});
    let text = desk.text("search_videos_by_topic", dated).await;
    for line in [
        "Python One from A (watched Dec 5) [",
        "Python Two from A (watched Dec 5, 2023) [",
        "Python Three from A (watched 2 days ago) [",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let text = desk.text("search_videos_by_topic", json!({"query": "python"})).await;
    assert!(text.contains("Python One from A (watched 1 month ago) ["), "{text}");
}

#[tokio::test]
async fn a_video_shows_when_it_was_watched_in_the_days_asked_for() {
    let python = seen("abc123xyz45", "Python").from("A");
    let desk =
        Desk::of(&[python.clone().at("2024-12-05T12:00:00Z"), python.at("2025-01-15T08:00:00Z")]);
    let december = json!({"query": "python", "date_from": "2024-12-01", "date_to": "2024-12-31"});
    let text = desk.text("search_videos_by_topic", december).await;
    assert!(text.contains("1. Python from A (watched Dec 5) ["), "{text}");
}
