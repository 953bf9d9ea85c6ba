//! What no program sees or is told, whatever it is shown; and that it is shown nothing else than was looked at.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use toolwright_sandbox::{Ending, SameFile, Sandbox, SandboxProfile};
use toolwright_testkit::is_root;

use crate::support::{Yard, bash, settings, survivors};

const NONE: [PathBuf; 0] = [];

/// The same with a sandbox that hides this.
fn hiding(mut yard: Yard, hidden: &Path) -> Yard {
    let mut settings = settings(yard.outside.path());
    settings.hidden = vec![hidden.to_owned()];
    yard.sandbox = Sandbox::build(&settings, &SandboxProfile::new("/tmp")).unwrap();
    yard
}

/// Arguments can be read by every user of the machine.
#[tokio::test]
async fn no_value_of_the_environment_stands_in_an_argument() {
    let yard = Yard::new();
    let secret = format!("canary-{}", std::process::id());
    let mut profile = SandboxProfile::new("/tmp");
    profile.env = vec![("TOKEN".into(), secret.clone()), ("EMPTY".into(), String::new())];
    let script = "echo \"$TOKEN\"; tr '\\0' '\\n' < /proc/1/environ; read -r _";
    let mut process = yard.sandbox.start(&bash(script), &profile).await.unwrap();
    let mut output = process.stdout.take().unwrap();
    let mut said = String::new();
    // It has it, and waits.
    while !said.contains(&secret) {
        let mut buffer = [0; 256];
        let read = tokio::io::AsyncReadExt::read(&mut output, &mut buffer).await.unwrap();
        assert_ne!(read, 0, "{said}");
        said.push_str(&String::from_utf8_lossy(&buffer[..read]));
    }
    assert!(process.try_wait().unwrap().is_none(), "{said}");
    assert_eq!(survivors(&secret), Vec::<String>::new());
    process.kill().await;
}

#[tokio::test]
async fn a_long_environment_arrives_whole_and_one_that_is_too_long_is_told() {
    let yard = Yard::new();
    let mut profile = SandboxProfile::new("/tmp");
    // One value may have 128 KiB; a pipe holds 64.
    profile.env = (0..4).map(|at| (format!("V{at}"), "x".repeat(100_000))).collect();
    let ran = yard.feed("echo ${#V0} ${#V3}; cat", &profile, b"input").await;
    assert_eq!(ran.output, "100000 100000\ninput", "{:?}", ran.ending);
    profile.env.push(("W".into(), "x".repeat(2 << 20)));
    let ran = yard.run("true", &profile).await;
    assert!(
        matches!(&ran.ending, Ending::NotStarted(why) if why.contains("longer than")),
        "{ran:?}"
    );
}

#[tokio::test]
async fn the_users_of_the_machine_are_not_seen() {
    let yard = Yard::new();
    let ran = yard
        .run("wc -l < /etc/passwd; id -un; getent passwd daemon bin", &SandboxProfile::new("/tmp"))
        .await;
    let mut lines = ran.output.lines();
    assert!(lines.next().unwrap().parse::<usize>().unwrap() <= 3, "{ran:?}");
    let name = lines.next().unwrap();
    assert!(!name.is_empty() && name.parse::<u32>().is_err(), "{ran:?}");
    assert_eq!(lines.next(), None, "{ran:?}");
}

/// Whoever starts a program need not think of it.
#[tokio::test]
async fn what_is_hidden_from_all_is_hidden_however_it_is_shown() {
    let yard = Yard::new();
    let all = yard.folder("all");
    for folder in ["all/.local", "all/.local/data", "all/.config"] {
        yard.folder(folder);
    }
    let (data, link) = (all.join(".local/data"), yard.outside.path().join("link"));
    fs::write(data.join("key"), "canary-key").unwrap();
    symlink(&all, &link).unwrap();
    let yard = hiding(yard, &data);
    for (shown, writes) in [(&all, false), (&all, true), (&link, false), (&link, true)] {
        let (read, write) =
            if writes { (vec![], vec![shown.clone()]) } else { (vec![shown.clone()], vec![]) };
        let profile = SandboxProfile::new(shown).showing(read, write, NONE);
        let script = "cat .local/data/key; ls -A .local/data; echo x > .local/data/new; rm -rf .local/data; \
                      mv .local moved && mkdir -p .local/data && echo swapped; echo end";
        let ran = yard.run(script, &profile).await;
        assert_eq!(ran.output, "end\n", "{shown:?} {writes} {ran:?}");
        assert!(!ran.errors.contains("canary"), "{ran:?}");
        assert_eq!(fs::read_to_string(data.join("key")).unwrap(), "canary-key");
        assert!(!data.join("new").exists());
    }
    // What was covered by whoever shows it needs no more.
    let profile =
        SandboxProfile::new(&all).showing([all.clone(), data.clone()], NONE, [data.clone()]);
    let ran = yard.run("ls -A .local/data; echo end", &profile).await;
    assert_eq!(ran.output, "end\n", "{ran:?}");
    // Not even on purpose.
    for named in [data.clone(), data.join("key"), link.join(".local/data")] {
        let profile = SandboxProfile::new("/tmp").showing([named.clone()], NONE, NONE);
        let none = yard.sandbox.check("true".as_ref(), &profile).unwrap_err();
        assert!(none.reason.contains("which no program sees"), "{named:?} {none:?}");
        let ran = yard.run("true", &profile).await;
        assert!(matches!(&ran.ending, Ending::NotStarted(_)), "{ran:?}");
    }
}

/// What is not there yet would be seen once it is, or be made by the program.
#[tokio::test]
async fn what_is_hidden_is_not_made_by_a_program_either() {
    let yard = Yard::new();
    let all = yard.folder("all");
    yard.folder("all/.config");
    let yard = hiding(yard, &all.join(".config/own"));
    let profile = SandboxProfile::new(&all).showing(NONE, [all.clone()], NONE);
    let ran = yard
        .run("mkdir -p .config/own; echo x > .config/own/settings; echo y > .config/else", &profile)
        .await;
    assert!(ran.errors.contains("settings"), "{ran:?}");
    assert!(
        !all.join(".config/own/settings").exists() && all.join(".config/else").exists(),
        "{ran:?}"
    );
}

#[tokio::test]
async fn the_home_of_a_program_is_its_own_also_in_what_is_hidden() {
    let yard = Yard::new();
    let (all, data) = (yard.folder("all"), yard.folder("all/data"));
    let home = yard.folder("all/data/home");
    yard.folder("all/data/other");
    let yard = hiding(yard, &data);
    let mut profile = SandboxProfile::new(&home);
    profile.home = Some(home.clone());
    let profile = profile.showing([all.clone()], NONE, NONE);
    let ran = yard.run("echo kept > ~/kept; ls ..", &profile).await;
    assert_eq!(ran.output, "home\n", "{ran:?}");
    assert_eq!(fs::read_to_string(home.join("kept")).unwrap(), "kept\n");
}

/// Whoever can rename what was looked at does not show another in its place.
#[tokio::test]
async fn what_was_swapped_is_not_shown_and_told_in_a_sentence() {
    let yard = Yard::new();
    let project = yard.folder("project");
    let apart = yard.folder("apart");
    fs::write(apart.join("key"), "canary-apart").unwrap();
    let inside = project.join("inside");
    let absolute = apart.to_str().unwrap().to_owned();
    for target in ["..", "../apart", &absolute, "/etc", "/nowhere"] {
        yard.folder("project/inside");
        let mut profile =
            SandboxProfile::new(&inside).showing([project.clone(), inside.clone()], NONE, NONE);
        profile.resolved = [&project, &inside].map(|it| (it.clone(), it.clone())).into();
        let ran = yard.run("echo begun", &profile).await;
        assert_eq!(ran.output, "begun\n", "{ran:?}");
        fs::remove_dir(&inside).unwrap();
        symlink(target, &inside).unwrap();
        let told = format!("another file or folder was put in the place of {}", inside.display());
        let none = yard.sandbox.check("ls".as_ref(), &profile);
        let ran = yard.run("ls -A; cat key", &profile).await;
        assert_eq!(ran.ending, Ending::NotStarted(told), "{target}");
        assert!(none.is_err(), "{target}");
        // Which folder it was is enough to know.
        let mut profile = SandboxProfile::new(&project).showing([project.clone()], NONE, NONE);
        profile.same = vec![SameFile { number: 1, ..SameFile::at(&project).unwrap() }];
        let ran = yard.run("ls -A", &profile).await;
        assert!(
            matches!(&ran.ending, Ending::NotStarted(why) if why.contains("in the place of")),
            "{ran:?}"
        );
        fs::remove_file(&inside).unwrap();
    }
}

/// What may not be opened is told without the words of another program.
#[tokio::test]
async fn a_folder_that_nobody_gets_into_is_named() {
    if !is_root() {
        return;
    }
    let yard = Yard::new();
    let closed = yard.outside.path().join("closed");
    fs::create_dir_all(closed.join("inner")).unwrap();
    fs::set_permissions(&closed, PermissionsExt::from_mode(0o700)).unwrap();
    let profile = SandboxProfile::new("/tmp").showing([closed.join("inner")], NONE, NONE);
    let ran = yard.run("true", &profile).await;
    let Ending::NotStarted(why) = &ran.ending else { panic!("{ran:?}") };
    assert!(
        why.contains("nobody") && why.contains("closed/inner") && !why.contains("bwrap"),
        "{why}"
    );
}
