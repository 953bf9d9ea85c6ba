//! Which tools are found without being listed.

use toolwright_core::Registration;
use toolwright_macros::tool;

/// Found.
#[tool(read_only)]
fn found() {}

/// Found, and named otherwise.
#[tool(name = "also-found")]
async fn found_too() {}

/// Not found.
#[tool(manual)]
fn not_found() {}

/// Not even compiled.
#[tool]
#[cfg(any())]
fn not_compiled(nothing: NoSuchType) {}

#[test]
fn marked_functions_are_found_unless_manual() {
    let mut all: Vec<_> =
        Registration::all().map(|found| ((found.make)().spec().name.clone(), found.at)).collect();
    all.sort_unstable();
    let names: Vec<_> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["also-found", "found"]);
    assert!(all[1].1.ends_with("discovery.rs:7"), "{}", all[1].1);
    assert_eq!(not_found::tool().spec().name, "not_found");
}
