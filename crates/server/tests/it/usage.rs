//! What runs used, read off the log.

use serde_json::{Value, json};

use crate::harness::Desk;

fn sum(lines: &Value, field: &str) -> u64 {
    lines.as_array().unwrap().iter().map(|it| it[field].as_u64().unwrap()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_runs_used_is_told_by_day_model_and_tool() {
    let desk = Desk::demo().await;
    let empty = desk.get("/api/usage").await.json();
    assert_eq!(empty, json!({"days": [], "models": [], "tools": []}));
    desk.chat("What's the weather in San Francisco and a 20% tip on $45.60?").await;
    desk.chat("What's the weather in Berlin?").await;
    // Midnight may pass meanwhile, and days are where the reader is.
    for path in ["/api/usage", "/api/usage?days=2&offset=-720", "/api/usage?days=2&offset=840"] {
        let told = desk.get(path).await.json();
        assert_eq!(sum(&told["days"], "runs"), 2, "{told}");
        assert_eq!(sum(&told["days"], "failed"), 0, "{told}");
        assert_eq!(sum(&told["models"], "runs"), 2, "{told}");
        let tools = told["tools"].as_array().unwrap();
        let weather = tools.iter().find(|it| it["tool"] == "get_weather").unwrap();
        assert_eq!((&weather["calls"], &weather["failed"]), (&json!(2), &json!(0)), "{told}");
        assert!(weather["median_ms"].as_f64() <= weather["p95_ms"].as_f64(), "{told}");
        assert!(tools.iter().any(|it| it["tool"] == "calculate_tip"), "{told}");
    }
    for wrong in ["days=0", "days=367", "offset=2000", "offset=-1441"] {
        assert_eq!(desk.get(&format!("/api/usage?{wrong}")).await.status, 422, "{wrong}");
    }
    assert_eq!(desk.get("/api/usage?days=many").await.status, 400);
}
