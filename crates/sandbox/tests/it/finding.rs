//! Where programs are found, and what is said where they are not.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use toolwright_sandbox::{Ending, Helper, NoSandbox, Sandbox, SandboxProfile};

use crate::support::{Yard, settings};

const NONE: [PathBuf; 0] = [];

fn script(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

fn check(yard: &Yard, program: &Path, profile: &SandboxProfile) -> Result<PathBuf, NoSandbox> {
    yard.sandbox.check(program.as_os_str(), profile)
}

#[tokio::test]
async fn one_outside_of_the_system_starts_where_its_folder_is_readable() {
    let yard = Yard::new();
    let home = yard.folder("node");
    let bin = yard.folder("node/bin");
    script(&bin.join("my-node"), "#!/bin/sh\necho \"started $1\"\n");
    let none = check(&yard, &bin.join("my-node"), &SandboxProfile::new("/tmp")).unwrap_err();
    assert!(none.reason.contains("not seen in the sandbox"), "{none:?}");
    assert_eq!(none.advice, format!("add {} to what it may read (`sandbox.read`)", home.display()));
    let profile = SandboxProfile::new("/tmp").showing([home.clone()], NONE, NONE);
    assert_eq!(check(&yard, &bin.join("my-node"), &profile).unwrap(), bin.join("my-node"));
    // By its name, too.
    assert_eq!(check(&yard, Path::new("my-node"), &profile).unwrap(), bin.join("my-node"));
    let ran = yard.run("my-node once", &profile).await;
    assert_eq!((ran.ending, ran.output.as_str()), (Ending::Exited(0), "started once\n"));
}

#[tokio::test]
async fn what_a_link_or_a_script_needs_is_named() {
    let yard = Yard::new();
    let (bin, venv) = (yard.folder("local/bin"), yard.folder("venv/bin"));
    script(&venv.join("tool"), "#!/bin/sh\n");
    symlink(venv.join("tool"), bin.join("tool")).unwrap();
    let profile = SandboxProfile::new("/tmp").showing([bin.clone()], NONE, NONE);
    let none = check(&yard, &bin.join("tool"), &profile).unwrap_err();
    assert!(none.advice.contains(&format!("add {}", yard.folder("venv").display())), "{none:?}");
    let text = format!("#!{}/python\n", venv.display());
    script(&bin.join("script"), &text);
    script(&venv.join("python"), "#!/bin/sh\n");
    let none = check(&yard, &bin.join("script"), &profile).unwrap_err();
    assert!(none.reason.contains("which starts"), "{none:?}");
    assert!(none.advice.contains("venv"), "{none:?}");
}

/// As in a virtual environment: a script whose interpreter is a link to what is installed elsewhere.
#[tokio::test]
async fn the_interpreter_behind_a_script_and_a_link_is_named() {
    let yard = Yard::new();
    let (venv, apart) = (yard.folder("venv"), yard.folder("apart"));
    let (bin, other) = (yard.folder("venv/bin"), yard.folder("apart/bin"));
    script(&other.join("my-python"), "#!/bin/sh\necho started\n");
    symlink(other.join("my-python"), bin.join("python")).unwrap();
    script(&bin.join("tool"), &format!("#!{}/python\n", bin.display()));
    script(&bin.join("found"), "#!/usr/bin/env my-python\n");
    let profile = SandboxProfile::new("/tmp").showing([venv.clone()], NONE, NONE);
    let none = check(&yard, &bin.join("tool"), &profile).unwrap_err();
    assert!(
        none.reason.contains("which starts") && none.reason.contains("is a link to"),
        "{none:?}"
    );
    assert!(none.reason.ends_with(&other.join("my-python").display().to_string()), "{none:?}");
    assert_eq!(none.unread.as_deref(), Some(apart.as_path()), "{none:?}");
    let none = check(&yard, &bin.join("found"), &profile).unwrap_err();
    assert!(none.reason.contains("`my-python` is not installed"), "{none:?}");
    let profile = SandboxProfile::new("/tmp").showing([venv, apart], NONE, NONE);
    for name in ["tool", "found"] {
        check(&yard, &bin.join(name), &profile).unwrap();
    }
    let ran = yard.run(&format!("{}/found", bin.display()), &profile).await;
    assert_eq!(ran.output, "started\n", "{ran:?}");
}

#[tokio::test]
async fn what_is_missing_or_may_not_be_shown_is_named() {
    let yard = Yard::new();
    let of = |program: &str, profile: &SandboxProfile| {
        check(&yard, Path::new(program), profile).unwrap_err()
    };
    let plain = SandboxProfile::new("/tmp");
    assert!(of("no-such-program-here", &plain).reason.contains("is not installed"));
    assert!(of("/usr/bin/no-such-program", &plain).reason.contains("is not there"));
    let missing = yard.outside.path().join("missing");
    let profile = SandboxProfile::new("/tmp").showing([missing.clone()], NONE, NONE);
    assert!(of("true", &profile).reason.contains(&missing.display().to_string()));
    for never in ["/", "/proc", "/proc/1", "/dev", "/sys/fs", "/run/docker.sock", "etc", "/a/../b"]
    {
        let profile = SandboxProfile::new("/tmp").showing([never.into()], NONE, NONE);
        let none = of("true", &profile);
        assert!(none.reason.contains(never), "{none:?}");
        let profile = SandboxProfile::new("/tmp").showing(NONE, [never.into()], NONE);
        let none = yard.sandbox.start(&["true".into()], &profile).await.err().unwrap();
        assert!(none.reason.contains(never), "{none:?}");
    }
    let profile = SandboxProfile::new(yard.folder("elsewhere"));
    assert!(of("true", &profile).reason.contains("the folder it begins in"));
}

#[test]
fn without_the_program_inside_there_is_no_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(folder.path());
    settings.helper = Helper::At("/nonexistent".into());
    let none = Sandbox::build(&settings, &SandboxProfile::new("/tmp")).err().unwrap();
    assert!(none.reason.starts_with("the program that starts commands is not there"));
    settings.helper = Helper::At("/usr/bin/true".into());
    let none = Sandbox::build(&settings, &SandboxProfile::new("/tmp")).err().unwrap();
    assert!(none.reason.starts_with("the sandbox could not be built"), "{none:?}");
}
