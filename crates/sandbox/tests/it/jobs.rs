//! Programs that run to their end.

use std::time::Duration;

use toolwright_sandbox::{Ending, Job, Limits, SandboxProfile, Streams};

use crate::support::{Ran, Yard, bash, marker, survivors, until};

#[tokio::test]
async fn input_output_and_errors_are_kept_apart() {
    let yard = Yard::new();
    let input = "line\n".repeat(200_000);
    let script = "wc -c; echo out; echo err >&2; echo named > /dev/stderr; exit 3";
    let ran = yard.feed(script, &SandboxProfile::new("/tmp"), input.as_bytes()).await;
    assert_eq!(ran.ending, Ending::Exited(3), "{ran:?}");
    assert_eq!((ran.output.as_str(), ran.errors.as_str()), ("1000000\nout\n", "err\nnamed\n"));
}

/// One that does not read what it is given is not wrong, and none is left waiting for more.
#[tokio::test]
async fn what_is_not_read_does_no_harm() {
    let yard = Yard::new();
    let input = vec![b'x'; 1 << 20];
    let ran = yard.feed("head -c 3; echo", &SandboxProfile::new("/tmp"), &input).await;
    assert_eq!((ran.ending, ran.output.as_str()), (Ending::Exited(0), "xxx\n"));
    let ran = yard.feed("cat; echo end", &SandboxProfile::new("/tmp"), b"").await;
    assert_eq!((ran.ending, ran.output.as_str()), (Ending::Exited(0), "end\n"));
}

#[tokio::test]
async fn a_flood_is_cut() {
    let yard = Yard::new();
    let script = "yes | head -c 50000000; yes | head -c 5000000 >&2; echo end";
    let ran = yard.run(script, &SandboxProfile::new("/tmp")).await;
    assert!(ran.output.contains("[truncated ") && ran.output.ends_with("end\n"));
    assert!(ran.errors.contains("[truncated "));
    assert!(ran.output.len() < 200 << 10 && ran.errors.len() < 200 << 10);
}

#[tokio::test]
async fn one_that_hangs_is_stopped_with_all_it_started() {
    let yard = Yard::new();
    let marker = marker();
    let program = bash(&format!("(setsid sleep {marker} &); sleep {marker} & sleep {marker}"));
    let profile = SandboxProfile::new("/tmp");
    let job = Job {
        program: &program,
        profile: &profile,
        streams: Streams::Separate(b""),
        time: Duration::from_millis(300),
        kept: 1024,
        disk: None,
        progress: &|_| {},
        cut_off: &|_, _| {},
    };
    let ran: Ran = yard.sandbox.run(job, ()).await.into();
    assert_eq!(ran.ending, Ending::TimedOut);
    assert!(until(|| survivors(&marker).is_empty()).await, "{:?}", survivors(&marker));
}

#[tokio::test]
async fn processes_and_files_are_limited() {
    let yard = Yard::new();
    let mut profile = SandboxProfile::new("/tmp");
    profile.limits = Limits { processes: 30, file: 1 << 20, ..Limits::default() };
    let marker = marker();
    let script =
        format!("for i in $(seq 100); do sleep {marker} & done; head -c 5M /dev/zero > big");
    let ran = yard.run(&script, &profile).await;
    assert!(ran.errors.contains("fork"), "{ran:?}");
    assert!(until(|| survivors(&marker).is_empty()).await);
    let ran = yard.run("head -c 5M /dev/zero > big; stat -c %s big", &profile).await;
    assert!(ran.output.trim().parse::<u64>().unwrap() <= 1 << 20, "{ran:?}");
}
