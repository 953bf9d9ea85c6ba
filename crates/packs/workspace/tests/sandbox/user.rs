//! Whose rights a command has.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
};

use toolwright_workspace::Helper;

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
