//! What a command can read and write.

use std::{fs, path::Path};

use crate::support::{Yard, shown};

#[tokio::test]
async fn b01_secrets_of_the_system_and_of_people_cannot_be_read() {
    let yard = Yard::with(|settings| {
        let root = settings.root.clone();
        fs::create_dir_all(root.join("data/inner")).unwrap();
        fs::write(root.join("data/inner/store.db"), "canary-store").unwrap();
        fs::write(root.join("data/key"), "canary-key").unwrap();
        settings.hidden = vec![root.join("data/inner"), root.join("data/key")];
    });
    let secret = shown(&yard.outside.path().join("secret"));
    for path in [
        "/etc/shadow",
        "/etc/gshadow",
        "/etc/ssh/sshd_config",
        "/root/.bashrc",
        "/home",
        "/root",
        "/var/lib",
        "/sys/kernel",
        "/run/docker.sock",
        "~/.ssh/id_rsa",
        "~/.config/toolwright/config.toml",
        &secret,
        "data/inner/store.db",
        "data/key",
        "../secret",
        "/proc/1/root/etc/shadow",
        "/proc/self/root/etc/shadow",
    ] {
        let said = yard.fails(&format!("cat {path} || ls {path}/")).await;
        let leaked = said.contains("canary") || said.lines().any(|line| line.starts_with("root:"));
        assert!(!leaked, "{path}: {said}");
    }
    // What is above a hidden file stays where it is: elsewhere it would not be hidden.
    yard.fails("mv data moved").await;
    let said = yard.works("ls -A data/inner").await;
    assert!(said.starts_with("[exit 0"), "{said}");
    yard.fails("rm -r data/inner").await;
    yard.fails("echo x > data/inner/x").await;
    assert_eq!(yard.read("data/inner/store.db"), "canary-store");
}

#[tokio::test]
async fn b01_a_link_in_the_workspace_leads_nowhere() {
    let yard = Yard::new();
    std::os::unix::fs::symlink("/etc/shadow", yard.root().join("a")).unwrap();
    std::os::unix::fs::symlink("../secret", yard.root().join("b")).unwrap();
    yard.fails("cat a").await;
    yard.fails("cat b").await;
}

#[tokio::test]
async fn b02_nothing_outside_can_be_written_and_the_own_tmp_works() {
    let yard = Yard::new();
    let outside = shown(&yard.outside.path().join("planted"));
    for path in
        ["/etc/planted", "/usr/planted", "/usr/bin/planted", "/planted", "/dev/planted", "/root/x"]
    {
        yard.fails(&format!("echo x > {path}")).await;
        yard.fails(&format!("mkdir {path}")).await;
        assert!(!Path::new(path).exists(), "{path}");
    }
    yard.fails("echo x >> /etc/passwd").await;
    yard.fails("rm -rf /usr/bin/true && ! test -e /usr/bin/true").await;
    // Beside the workspace there is only what leads to it.
    let _ = yard.run(&format!("echo x > {outside}")).await;
    assert!(!Path::new(&outside).exists());
    let name = format!("/tmp/planted-{:x}", fastrand::u64(..));
    let said = yard.works(&format!("echo own > {name}; cat {name}; cd; pwd; echo x > here")).await;
    assert!(said.starts_with("own\n/tmp/home\n[exit 0"), "{said}");
    assert!(!Path::new(&name).exists());
    yard.fails(&format!("cat {name}")).await;
    yard.works("echo in > inside; mkdir -p a/b; mv inside a/b/; ln -s b a/c; rm a/c").await;
    assert_eq!(yard.read("a/b/inside"), "in\n");
}

#[tokio::test]
async fn what_is_readable_can_be_run_and_not_changed() {
    let outside = tempfile::tempdir().unwrap();
    let tools = outside.path().join("tools");
    fs::create_dir_all(tools.join("bin")).unwrap();
    fs::write(tools.join("bin/greet"), "#!/bin/bash\necho hello $WHO\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(tools.join("bin/greet"), mode).unwrap();
    let yard = Yard::with(|settings| {
        settings.readable = vec![tools.clone(), outside.path().join("missing")];
        settings.env = vec![("WHO".into(), "you".into())];
    });
    assert!(yard.works("greet").await.starts_with("hello you\n"));
    yard.fails(&format!("echo x > {}", shown(&tools.join("bin/greet")))).await;
}
