//! What is listed is what is asked without a proxy.
#![allow(clippy::unwrap_used)]

use http::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use proptest::{prelude::*, sample::select};

use super::*;

#[test]
fn every_form_of_an_entry_means_what_curl_takes_it_for() {
    let cases = [
        // The list; what is in it; what is not.
        ("*", &["a.example:443", "10.1.2.3:80", "[fd00::1]:443"][..], &[][..]),
        (
            "example.com",
            &["example.com:443", "EXAMPLE.com:80", "a.b.example.com:443", "example.com.:443"],
            &["notexample.com:443", "example.com.evil.test:443", "com:443", "example.org:443"],
        ),
        (".example.com", &["example.com:443", "a.example.com:443"], &["badexample.com:443"]),
        ("*.example.com", &["a.example.com:443"], &["example.org:443"]),
        ("example.com:8443", &["example.com:8443"], &["example.com:443"]),
        (
            "10.0.0.0/8, 192.168.1.7",
            &["10.9.9.9:80", "192.168.1.7:80"],
            &["11.0.0.1:80", "10.test:80"],
        ),
        ("10.1.1.1:8080", &["10.1.1.1:8080"], &["10.1.1.1:80"]),
        ("10.1.1.1", &["[::ffff:10.1.1.1]:80"], &["[::ffff:10.1.1.2]:80"]),
        ("fd00::/8 ::1", &["[fd12::1]:443", "[::1]:443"], &["[fe80::1]:443"]),
        ("[2001:db8::1]:8080", &["[2001:db8::1]:8080"], &["[2001:db8::1]:80"]),
        ("2001:db8::1", &["[2001:db8::1]:80", "[2001:db8:0::1]:443"], &["[2001:db8::2]:80"]),
        ("a.test b.test,c.test", &["a.test:1", "b.test:1", "c.test:1"], &["d.test:1"]),
        ("", &[], &["a.test:1", "10.0.0.1:1"]),
        (",. .,*x", &[], &["a.test:1", "10.0.0.1:1", "x:1"]),
    ];
    for (list, inside, outside) in cases {
        let list_read = NoProxy::new(list);
        let contains = |it: &str| {
            let (host, port) = it.rsplit_once(':').unwrap();
            list_read.contains(host, port.parse().unwrap())
        };
        inside.iter().for_each(|it| assert!(contains(it), "{it} is in {list:?}"));
        outside.iter().for_each(|it| assert!(!contains(it), "{it} is not in {list:?}"));
    }
}

fn host() -> impl Strategy<Value = String> {
    let label = || select(vec!["a", "b", "example", "com", "test", "x-y"]);
    prop_oneof![
        prop::collection::vec(label(), 1..4).prop_map(|it| it.join(".")),
        (0_u8..4, 0_u8..4, 0_u8..4, 0_u8..4)
            .prop_map(|(a, b, c, d)| format!("{}.{b}.{c}.{d}", a + 9)),
        (0_u16..4, 0_u16..4).prop_map(|(a, b)| format!("[fd0{a}::{b}]")),
    ]
}

fn entry() -> impl Strategy<Value = String> {
    let bare = |it: String| it.trim_matches(['[', ']']).to_owned();
    prop_oneof![
        host().prop_map(bare),
        host()
            .prop_filter("a name", |it| it.starts_with(char::is_alphabetic))
            .prop_map(|it| format!(".{it}")),
        (0_u8..4, 0_u8..4, 8_u8..33).prop_map(|(a, b, bits)| format!("{}.{b}.0.0/{bits}", a + 9)),
        (0_u16..4, 8_u8..129).prop_map(|(a, bits)| format!("fd0{a}::/{bits}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// Where both know the form of an entry, this reader and hyper-util's, which is another's work, agree.
    #[test]
    fn lists_are_read_as_others_read_them(entries in prop::collection::vec(entry(), 0..5), host in host()) {
        let list = entries.join(", ");
        let theirs = Matcher::builder().all("http://proxy.test:3128").no(list.as_str()).build();
        let uri: Uri = format!("https://{host}/").parse().unwrap();
        let is_direct = theirs.intercept(&uri).is_none();
        prop_assert_eq!(NoProxy::new(&list).contains(&host, 443), is_direct, "{} in {}", host, list);
    }

    #[test]
    fn no_list_is_too_odd(list in "[\\[\\]:*./, a0-9é-]{0,40}", host in "[\\[\\]:*.a0-9é-]{0,20}") {
        let _ = NoProxy::new(&list).contains(&host, 443);
    }
}
