//! What Restate says about others, as a sentence: it passes on all that they answered, their headers and their page.

/// Where what others answered begins.
const PASSED_ON: [&str; 4] = [". Response headers:", ". Body:", "<!", "<html"];
/// What balancers answer where nobody is behind them who could.
const UNSERVED: [&str; 3] = ["502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout"];

/// The sentence, without what others answered.
pub(crate) fn sentence(said: &str) -> &str {
    let end = PASSED_ON.iter().filter_map(|it| said.find(it)).min().unwrap_or(said.len());
    said.get(..end).unwrap_or(said).trim()
}

/// What a balancer answered that has no healthy worker behind it, where that is what is told.
pub(crate) fn unserved(said: &str) -> Option<&'static str> {
    // Restate calls it a limit where it was asked too often in vain.
    let is_status =
        ["status code", "rate limited due to"].iter().any(|it| sentence(said).contains(it));
    UNSERVED.into_iter().find(|it| is_status && sentence(said).contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As HAProxy and Restate 1.7 say it.
    const ASKED: &str = "[META0003] got status code '503 Service Unavailable'. Response headers: {\"content-type\": \
        \"text/html\"}. Body: <html><body><h1>503 Service Unavailable</h1>\n</body></html>\n";

    #[test]
    fn what_others_answered_is_left_out() {
        assert_eq!(sentence(ASKED), "[META0003] got status code '503 Service Unavailable'");
        assert_eq!(sentence("<html>no</html>"), "");
        let own = "the log cannot be read: 503 of 1000 events are missing";
        assert_eq!(sentence(own), own);
    }

    #[test]
    fn a_balancer_without_workers_is_known_by_its_answer() {
        assert_eq!(unserved(ASKED), Some("503 Service Unavailable"));
        let driven = "unexpected http status code: 502 Bad Gateway";
        assert_eq!(unserved(driven), Some("502 Bad Gateway"));
        let often = "[500 Internal] service is rate limited due to '503 Service Unavailable'";
        assert_eq!(unserved(often), Some("503 Service Unavailable"));
        for other in
            ["unexpected http status code: 404 Not Found", "503 Service Unavailable, they say"]
        {
            assert_eq!(unserved(other), None, "{other}");
        }
    }
}
