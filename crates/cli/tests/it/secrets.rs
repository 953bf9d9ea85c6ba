//! Settings that are wrong are told without what may be a key in them.

use crate::harness::Cli;

const SECRET: &str = "S3CRET0123456789";

#[tokio::test]
async fn a_file_that_is_wrong_is_told_without_its_values() {
    for (text, place) in [
        (format!("[model]\napi_key = \"{SECRET}\n"), "line 2"),
        (format!("[model]\napi_key = {SECRET}\n"), "line 2"),
        (format!("[model]\napi_kye = \"{SECRET}\"\n"), "line 2"),
        (format!("model.api_key = \"{SECRET}"), "line 1"),
        (format!("model = \"{SECRET}\"\n"), "line 1"),
        (format!("[limits]\nrounds = \"{SECRET}, expected {SECRET}\"\n"), "line 2"),
        (format!("[model]\ntool_mode = [\"{SECRET}\"]\n"), "line 2"),
        (format!("[[rules]]\nverdict = \"{SECRET}\"\ntool = \"bash\"\n"), "line"),
    ] {
        let cli = Cli::new().configured(&text);
        for args in [&["doctor"][..], &["ask", "hello"]] {
            let ended = cli.run(args).await;
            assert_eq!(ended.code, Some(2), "{text}: {}", ended.err);
            assert!(ended.err.contains(place), "{text}: {}", ended.err);
            assert!(!format!("{}{}", ended.out, ended.err).contains(SECRET), "{}", ended.err);
        }
    }
}

#[tokio::test]
async fn an_address_is_shown_without_what_may_be_a_key() {
    for url in [
        format!("http://127.0.0.1:1/v1?key={SECRET}"),
        format!("http://me:{SECRET}@127.0.0.1:1/v1"),
        format!("http://{SECRET}@127.0.0.1:1/v1#{SECRET}"),
        format!("htp:/u:{SECRET}@x"),
        format!("htp://u:{SECRET}@x/v1"),
        format!("http://a b/{SECRET}"),
        format!("http:///{SECRET}"),
        format!("//u:{SECRET}@x"),
        SECRET.to_owned(),
    ] {
        for variable in ["OPENAI_API_BASE", "DHANHQ_BASE_URL"] {
            let cli = Cli::new()
                .env("TOOLWRIGHT_MODEL", "some")
                .env("OPENAI_API_BASE", "http://127.0.0.1:1/v1")
                .env(variable, &url)
                .env("TOOLWRIGHT_LOG", "debug");
            for args in [&["doctor"][..], &["doctor", "--json"], &["models"]] {
                let ended = cli.run(args).await;
                let all = format!("{}{}", ended.out, ended.err);
                assert!(!all.contains(SECRET), "{variable}={url} {args:?}: {all}");
            }
        }
        let ended = Cli::new()
            .env("TOOLWRIGHT_MODEL", "some")
            .env("OPENAI_API_BASE", &url)
            .run(&["ask", "hello"])
            .await;
        assert!(!ended.err.contains(SECRET), "{url}: {}", ended.err);
    }
}
