//! What runs used, and how tools did.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use toolwright_core::Timestamp;
use toolwright_store::{RunUsage, ToolUsage};
use utoipa::{IntoParams, ToSchema};

use crate::{ApiError, address::Query, auth::Asker, error::Failed, json::Json};

/// Of which days.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Days {
    /// How many, with today: from 1 to 366; 30 where nothing is said.
    #[param(minimum = 1, maximum = 366)]
    days: Option<u32>,
    /// How many minutes the reader's clock is ahead of UTC: it says where days begin.
    #[param(minimum = -1440, maximum = 1440)]
    offset: Option<i32>,
}

/// What was used.
#[derive(Serialize, ToSchema)]
pub(crate) struct UsageLines {
    /// By day, the earliest first. Days on which nothing ended are left out.
    days: Vec<DayLine>,
    /// By model, those with the most tokens first.
    models: Vec<ModelLine>,
    /// By tool, those that took longest in all first.
    tools: Vec<ToolUsageLine>,
}

/// What some runs used.
#[derive(Serialize, ToSchema)]
pub(crate) struct Used {
    runs: u64,
    /// Of these, those without an answer.
    failed: u64,
    prompt_tokens: u64,
    cached_tokens: u64,
    completion_tokens: u64,
    /// In millionths of the unit that the prices speak of, where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_millionths: Option<u64>,
}

/// A day.
#[derive(Serialize, ToSchema)]
pub(crate) struct DayLine {
    /// Days since 1970.
    day: i64,
    #[serde(flatten)]
    used: Used,
}

/// A model.
#[derive(Serialize, ToSchema)]
pub(crate) struct ModelLine {
    model: String,
    #[serde(flatten)]
    used: Used,
}

/// A tool.
#[derive(Serialize, ToSchema)]
pub(crate) struct ToolUsageLine {
    tool: String,
    calls: u64,
    /// Of these, those that failed or took too long.
    failed: u64,
    /// Of these, those that were refused, denied, cancelled or interrupted.
    stopped: u64,
    /// How long it took, in milliseconds: half of the calls that were carried out took no longer.
    median_ms: f64,
    /// Nineteen of twenty took no longer.
    p95_ms: f64,
    /// All of them together.
    total_ms: f64,
}

impl From<RunUsage> for Used {
    fn from(it: RunUsage) -> Self {
        Self {
            runs: it.runs,
            failed: it.failed,
            prompt_tokens: it.tokens.prompt_tokens,
            cached_tokens: it.tokens.cached_tokens,
            completion_tokens: it.tokens.completion_tokens,
            cost_millionths: it.cost,
        }
    }
}

impl ToolUsageLine {
    fn new(tool: String, it: &ToolUsage) -> Self {
        Self {
            tool,
            calls: it.calls,
            failed: it.failed,
            stopped: it.stopped,
            median_ms: quantile(&it.elapsed, 50),
            p95_ms: quantile(&it.elapsed, 95),
            total_ms: it.elapsed.iter().sum(),
        }
    }
}

/// What so many of a hundred do not exceed; nothing where there is none.
fn quantile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or(0.0)
}

/// What runs used and how tools did, by day, model and tool
#[utoipa::path(
    get, path = "/api/usage", tag = "about", params(Days),
    responses(
        (status = 200, body = UsageLines),
        (status = 400, description = "A parameter that cannot be read", body = Failed),
        (status = 422, description = "A parameter that cannot be used", body = Failed),
    )
)]
pub(crate) async fn usage(
    service: Asker,
    Query(wanted): Query<Days>,
) -> Result<Json<UsageLines>, ApiError> {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let days = wanted.days.unwrap_or(30);
    if !(1..=366).contains(&days) {
        return Err(ApiError::invalid("days is from 1 to 366"));
    }
    let minutes = wanted.offset.unwrap_or(0);
    if !(-1440..=1440).contains(&minutes) {
        return Err(ApiError::invalid("offset is from -1440 to 1440"));
    }
    let offset = i64::from(minutes) * 60 * 1000;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    // From the beginning of the first day, where the reader is.
    let today = now.saturating_add(offset).div_euclid(DAY);
    let since = (today - i64::from(days) + 1).saturating_mul(DAY).saturating_sub(offset);
    let since = Timestamp(u64::try_from(since).unwrap_or(0));
    let report = service.store().usage(since, offset).await?;
    let by_day = report.days.into_iter().map(|(day, it)| DayLine { day, used: it.into() });
    let models = report.models.into_iter();
    let mut models: Vec<_> =
        models.map(|(model, it)| ModelLine { model, used: it.into() }).collect();
    models.sort_by_key(|it| std::cmp::Reverse(it.used.prompt_tokens + it.used.completion_tokens));
    let tools = report.tools.into_iter();
    let mut tools: Vec<_> = tools.map(|(tool, it)| ToolUsageLine::new(tool, &it)).collect();
    tools.sort_by(|a, b| b.total_ms.total_cmp(&a.total_ms));
    Ok(Json(UsageLines { days: by_day.collect(), models, tools }))
}
