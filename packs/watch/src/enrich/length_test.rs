use proptest::prelude::*;

use super::seconds;

#[test]
fn lengths_are_read_as_documented() {
    let lengths = [
        ("PT15M33S", Some(933)),
        ("PT1H", Some(3600)),
        ("PT45S", Some(45)),
        ("P1DT2H3M4S", Some(93_784)),
        ("P1W", Some(604_800)),
        ("P1W1DT1S", Some(691_201)),
        ("PT90M", Some(5400)),
        ("P0D", None),
        ("PT0S", None),
    ];
    for (length, expected) in lengths {
        assert_eq!(seconds(length), expected, "{length}");
    }
}

#[test]
fn what_is_no_length_is_none() {
    let wrong = [
        "",
        "P",
        "PT",
        "15:33",
        "PT15",
        "PTM",
        "PT1S1M",
        "1H",
        "PT-1S",
        "PT1.5S",
        "P1DT1W",
        "pt1s",
        "PT99999999999999999999S",
        "P99999999999W",
    ];
    for length in wrong {
        assert_eq!(seconds(length), None, "{length}");
    }
}

proptest! {
    #[test]
    fn a_length_is_the_sum_of_its_parts(days in 0_u32..9, hours in 0_u32..24, minutes in 0_u32..60, rest in 1_u32..60) {
        let text = format!("P{days}DT{hours}H{minutes}M{rest}S");
        prop_assert_eq!(seconds(&text), Some(((days * 24 + hours) * 60 + minutes) * 60 + rest));
    }

    #[test]
    fn no_text_breaks_it(text in "\\PC{0,20}|P[0-9WDTHMS]{0,16}") {
        seconds(&text);
    }
}
