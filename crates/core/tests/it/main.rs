#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#[test]
fn sizes() {
    use toolwright_core::*;
    eprintln!("Event {} Kind {} Part {} Reply {} Outcome {} Run {} Answer {} Failure {}", size_of::<Event>(), size_of::<EventKind>(), size_of::<Part>(), size_of::<Reply>(), size_of::<Outcome>(), size_of::<Run>(), size_of::<Answer>(), size_of::<Failure>());
}
