//! [`TelemetryConfig`]: what is logged, and where metrics are served.

use std::net::SocketAddr;

use toolwright_runtime::CallLogging;

use super::{
    Flags, Setting, SettingSource,
    file::TelemetrySection,
    sources::{Sources, parsed},
};
use crate::AppError;

/// What is logged, and where metrics are served.
#[derive(Clone, Debug)]
pub struct TelemetryConfig {
    /// How much is logged.
    pub log: Setting<String>,
    /// How log lines look.
    pub format: Setting<LogFormat>,
    /// What lines about calls tell.
    pub content: Setting<CallLogging>,
    /// Where metrics are served.
    pub metrics: Setting<Option<SocketAddr>>,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Pretty,
    /// One JSON object a line.
    Json,
}

impl LogFormat {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pretty => "pretty",
            Self::Json => "json",
        }
    }

    fn parse(word: &str) -> Result<Self, &'static str> {
        let all = [Self::Pretty, Self::Json];
        all.into_iter().find(|it| it.name() == word).ok_or("use pretty or json")
    }
}

fn contents(word: &str) -> Result<CallLogging, std::str::ParseBoolError> {
    word.trim().parse().map(|is_on| if is_on { CallLogging::Contents } else { CallLogging::Names })
}

impl TelemetryConfig {
    pub(super) fn read(
        sources: &Sources<'_>,
        flags: &Flags,
        log: Option<String>,
        file: TelemetrySection,
    ) -> Result<Self, AppError> {
        let usual = || Setting { value: "warn".to_owned(), place: SettingSource::Default };
        let log = sources.pick("--log", flags.log.clone(), "TOOLWRIGHT_LOG", log);
        let format = sources.pick("", None, "TOOLWRIGHT_LOG_FORMAT", file.log_format);
        let content = file.log_content.map(|is_on| is_on.to_string());
        let content = sources.pick("", None, "TOOLWRIGHT_LOG_CONTENT", content);
        let metrics = sources.pick("", None, "TOOLWRIGHT_METRICS", file.metrics);
        let address = |text: &str| text.parse::<SocketAddr>().map(Some);
        Ok(Self {
            log: log.unwrap_or_else(usual),
            format: parsed("telemetry.log_format", format, LogFormat::Pretty, LogFormat::parse)?,
            // Nobody sees a line about a call who did not ask for `--log info`.
            content: parsed("telemetry.log_content", content, CallLogging::Contents, contents)?,
            metrics: parsed("telemetry.metrics", metrics, None, address)?,
        })
    }
}
