//! Whose rights a command has.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
};

use toolwright_testkit::is_root;
use toolwright_workspace::{Helper, RootCommands, Settings, Workspace};

use crate::support::{Yard, helper};

#[tokio::test]
async fn root_runs_commands_as_the_owner_of_the_workspace() {
    let outside = tempfile::tempdir().unwrap();
    let root = outside.path().join("ws");
    fs::create_dir(&root).unwrap();
    let own = fs::metadata(&root).unwrap().uid();
    let owner = if own == 0 { 4242 } else { own };
    chown(&root, Some(owner), None).unwrap();
    // Somewhere that others may enter.
    fs::set_permissions(outside.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let program = outside.path().join("enter");
    fs::copy(helper(), &program).unwrap();
    let (yard, workspace) = Yard::over(outside, |settings| settings.helper = Helper::At(program));
    assert!(workspace.sandbox().is_ok(), "{:?}", workspace.sandbox().err());
    let said = yard.works("id -u; echo x > made; cat /proc/self/status | grep ^CapEff").await;
    assert!(said.starts_with(&format!("{owner}\nCapEff:\t0000000000000000\n")), "{said}");
    assert_eq!(fs::metadata(yard.root().join("made")).unwrap().uid(), owner);
    let said = yard.works("echo evil > .mcp.json").await;
    assert!(said.contains(".mcp.json.held"), "{said}");
}

#[tokio::test]
async fn root_runs_nothing_as_root_unless_it_is_allowed() {
    if !is_root() {
        return;
    }
    let folder = || {
        let outside = tempfile::tempdir().unwrap();
        fs::create_dir(outside.path().join("ws")).unwrap();
        outside
    };
    let outside = folder();
    let mut settings = Settings::new(outside.path().join("ws"), outside.path().join("scratch"));
    settings.helper = Helper::At(helper());
    let workspace = Workspace::open(settings).unwrap();
    let missing = workspace.sandbox().err().unwrap();
    assert!(missing.reason.contains("belongs to root"), "{missing:?}");
    for way in ["chown", "start Toolwright as one", "--allow-root"] {
        assert!(missing.advice.contains(way), "{missing:?}");
    }
    let allow = |settings: &mut Settings| settings.root_commands = RootCommands::Allowed;
    let (yard, workspace) = Yard::over(folder(), allow);
    let rows = workspace.sandbox().map(toolwright_workspace::Sandbox::describe).unwrap();
    let says = |name: &str| rows.iter().find(|row| row.0 == name).unwrap().1.clone();
    assert_eq!(says("runs as"), "root, with no capability, as allowed");
    assert_eq!(says("tried in vain"), "kernel settings, set-id bits, attributes, sockets");
    assert!(yard.works("id -u").await.starts_with("0\n"));
}

/// Whoever made the folder may have given it to any group: commands do not get it by that.
#[tokio::test]
async fn no_command_has_the_group_of_root() {
    if !is_root() {
        return;
    }
    let outside = tempfile::tempdir().unwrap();
    let root = outside.path().join("ws");
    fs::create_dir(&root).unwrap();
    chown(&root, Some(4242), Some(0)).unwrap();
    let (yard, workspace) = Yard::over(outside, |_| {});
    assert!(workspace.sandbox().is_ok(), "{:?}", workspace.sandbox().err());
    let said = yard.works("id -g; id -G; echo x > made").await;
    assert!(said.starts_with("65534\n65534\n"), "{said}");
    assert_eq!(fs::metadata(yard.root().join("made")).unwrap().gid(), 65_534);
}
