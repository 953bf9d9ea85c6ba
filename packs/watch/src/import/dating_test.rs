use jiff::{civil::date, tz::TimeZone};

use super::{Dating, Hints, Local};

fn local(zone: &str, month: i8) -> Local {
    Local { at: date(2024, month, 3).at(22, 15, 30, 0), zone: zone.to_owned() }
}

fn dating(configured: Option<&str>, machine: &str) -> Dating {
    let zone = |it: &str| TimeZone::get(it).unwrap();
    Dating::new(Hints { configured: configured.map(zone), machine: zone(machine) })
}

/// What the times of a file are taken for, and what is told.
fn read(dating: &mut Dating, file: &[Local], languages: &[&str]) -> (Vec<String>, Option<String>) {
    let open: Vec<_> = file.iter().filter(|it| dating.date(it).is_none()).cloned().collect();
    let open: Vec<_> = open.into_iter().filter(|it| dating.date(it).is_none()).collect();
    let told = dating.choose(&open, &[], languages);
    let moments = file.iter().map(|it| dating.date(it).unwrap().at.to_string()).collect();
    (moments, told)
}

#[test]
fn names_of_one_meaning_are_read_by_themselves() {
    for (name, month, expected) in [
        ("SAST", 6, "2024-06-03T20:15:30Z"),
        ("WAT", 6, "2024-06-03T21:15:30Z"),
        ("IDT", 6, "2024-06-03T19:15:30Z"),
        ("BDT", 6, "2024-06-03T16:15:30Z"),
        ("MESZ", 6, "2024-06-03T20:15:30Z"),
        ("MSK", 1, "2024-01-03T19:15:30Z"),
    ] {
        let mut dating = dating(None, "UTC");
        assert_eq!(
            read(&mut dating, &[local(name, month)], &[]),
            (vec![expected.to_owned()], None),
            "{name}"
        );
    }
}

#[test]
fn the_other_dates_of_a_file_tell_its_zone() {
    for (file, first) in [
        ([("IST", 6), ("GMT", 1)], "2024-06-03T21:15:30Z"),
        ([("IST", 1), ("IDT", 6)], "2024-01-03T20:15:30Z"),
        ([("IST", 6), ("IST", 1)], "2024-06-03T16:45:30Z"),
        ([("BST", 6), ("GMT", 1)], "2024-06-03T21:15:30Z"),
        ([("CST", 1), ("CST", 6)], "2024-01-03T14:15:30Z"),
        ([("PST", 1), ("PDT", 6)], "2024-01-04T06:15:30Z"),
    ] {
        let mut dating = dating(None, "UTC");
        let locals = file.map(|(name, month)| local(name, month));
        let languages: &[&str] = if file[0].0 == "CST" { &["zh"] } else { &["en"] };
        let (moments, told) = read(&mut dating, &locals, languages);
        assert_eq!((moments[0].as_str(), told), (first, None), "{file:?}");
    }
}

#[test]
fn what_is_set_then_the_machine_then_the_language_tell_it() {
    let (india, ireland) = ("2024-06-03T16:45:30Z", "2024-06-03T21:15:30Z");
    for (configured, machine, languages, expected) in [
        (Some("Europe/Dublin"), "Asia/Kolkata", ["hi"], ireland),
        (None, "Europe/Dublin", ["hi"], ireland),
        (None, "Asia/Calcutta", ["en"], india),
        (None, "UTC", ["hi"], india),
        (Some("America/New_York"), "Europe/Berlin", ["ta"], india),
    ] {
        let mut dating = dating(configured, machine);
        let (moments, told) = read(&mut dating, &[local("IST", 6)], &languages);
        assert_eq!((moments[0].as_str(), told), (expected, None), "{configured:?} {machine}");
    }
    let mut dating = dating(None, "UTC");
    let (moments, told) = read(&mut dating, &[local("CST", 6)], &["ja", "zh"]);
    assert_eq!((moments[0].as_str(), told), ("2024-06-03T14:15:30Z", None));
}

#[test]
fn what_nothing_tells_is_told() {
    for (name, machine) in
        [("IST", "UTC"), ("CST", "UTC"), ("BST", "UTC"), ("XYZ", "Europe/Berlin"), ("", "UTC")]
    {
        let mut dating = dating(None, machine);
        let told = read(&mut dating, &[local(name, 6)], &["en"]).1.unwrap_or_default();
        assert!(told.contains("time_zone") && told.contains(name), "{name}: {told}");
    }
}
