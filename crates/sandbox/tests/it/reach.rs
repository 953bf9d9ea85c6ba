//! What a program reaches: files, the network, the environment.

use std::{
    fs,
    io::Read,
    net::{TcpListener, UdpSocket},
    path::PathBuf,
};

use toolwright_sandbox::{Ending, Network, SandboxProfile};

use crate::support::Yard;

const NONE: [PathBuf; 0] = [];

#[tokio::test]
async fn only_what_was_shown_is_seen() {
    let yard = Yard::new();
    let (open, other) = (yard.folder("open"), yard.folder("other"));
    fs::write(open.join("file"), "shown").unwrap();
    fs::write(other.join("file"), "canary-other").unwrap();
    let profile = SandboxProfile::new(&open).showing([open.clone()], NONE, NONE);
    let at = yard.outside.path().display();
    let script = format!(
        "cat file; cat {at}/secret {at}/other/file /etc/shadow /root/.bashrc ~/.bashrc \
         /proc/1/environ; ls -A {at} /root /home"
    );
    let ran = yard.run(&script, &profile).await;
    assert!(ran.output.starts_with("shown"), "{ran:?}");
    assert!(ran.output.contains("open") && !ran.output.contains("other"), "{ran:?}");
    let all = format!("{ran:?}");
    assert!(!all.contains("canary") && !all.contains("root:"), "{all}");
}

#[tokio::test]
async fn nothing_is_written_but_where_it_may_be() {
    let yard = Yard::new();
    let (read, write) = (yard.folder("read"), yard.folder("write"));
    let profile = SandboxProfile::new(&write).showing([read.clone()], [write.clone()], NONE);
    let script = format!(
        "echo a > made && mkdir deep && echo b > deep/made; echo c > {0}/made; mv {0} {0}2; \
         echo d > /usr/made; echo e > /etc/made; echo f > /made; echo g > ~/own && cat ~/own",
        read.display()
    );
    let ran = yard.run(&script, &profile).await;
    assert_eq!(ran.output, "g\n", "{ran:?}");
    assert_eq!(fs::read_to_string(write.join("deep/made")).unwrap(), "b\n");
    for made in [read.join("made"), "/usr/made".into(), "/etc/made".into(), "/made".into()] {
        assert!(!made.exists(), "{}", made.display());
    }
}

#[tokio::test]
async fn what_is_hidden_in_a_folder_is_not_there_and_what_is_opened_in_it_is() {
    let yard = Yard::new();
    let (all, data) = (yard.folder("all"), yard.folder("all/data"));
    let home = yard.folder("all/data/home");
    fs::write(data.join("key"), "canary-key").unwrap();
    fs::write(all.join("token"), "canary-token").unwrap();
    let mut profile = SandboxProfile::new(&all);
    profile.home = Some(home.clone());
    let profile = profile.showing([all.clone()], NONE, [data, all.join("token")]);
    let script = "cat data/key token; echo x > data/new; echo kept > ~/kept; ls data; echo $HOME";
    let ran = yard.run(script, &profile).await;
    assert_eq!(ran.output, format!("home\n{}\n", home.display()), "{ran:?}");
    assert!(!ran.errors.contains("canary"), "{ran:?}");
    assert_eq!(fs::read_to_string(home.join("kept")).unwrap(), "kept\n");
}

#[tokio::test]
async fn without_a_network_nothing_is_reached_and_with_one_it_is() {
    let yard = Yard::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    listener.set_nonblocking(true).unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    udp.set_nonblocking(true).unwrap();
    let script = format!(
        "echo hello > /dev/tcp/127.0.0.1/{port}; echo hello > /dev/udp/127.0.0.1/{}",
        udp.local_addr().unwrap().port()
    );
    let mut profile = SandboxProfile::new("/tmp");
    let ran = yard.run(&script, &profile).await;
    assert!(ran.errors.contains("refused") || ran.errors.contains("unreachable"), "{ran:?}");
    assert!(listener.accept().is_err() && udp.recv(&mut [0; 8]).is_err());
    profile.network = Network::Host;
    let names = "; getent hosts localhost; ls /etc/hosts /etc/resolv.conf";
    let ran = yard.run(&format!("{script}{names}"), &profile).await;
    assert_eq!(ran.ending, Ending::Exited(0), "{ran:?}");
    assert!(ran.output.contains("localhost"), "{ran:?}");
    let mut said = String::new();
    let (mut stream, _) = listener.accept().unwrap();
    stream.set_nonblocking(false).unwrap();
    stream.read_to_string(&mut said).unwrap();
    assert_eq!(said, "hello\n");
}

#[tokio::test]
async fn a_network_is_no_way_to_the_sockets_of_other_programs() {
    let yard = Yard::new();
    let folder = yard.folder("run");
    let _listener = std::os::unix::net::UnixListener::bind(folder.join("socket")).unwrap();
    let mut profile = SandboxProfile::new(&folder).showing(NONE, [folder.clone()], NONE);
    profile.network = Network::Host;
    let script = "python3 -c \"import socket\n\
        s = socket.socket(socket.AF_UNIX)\ns.connect('socket')\nprint('reached')\"";
    let ran = yard.run(script, &profile).await;
    assert!(ran.errors.contains("not permitted"), "{ran:?}");
    assert!(!ran.output.contains("reached"), "{ran:?}");
}

#[tokio::test]
async fn the_environment_is_what_was_listed() {
    let yard = Yard::new();
    let mut profile = SandboxProfile::new("/tmp");
    profile.env = vec![("MINE".into(), "a b\nc".into())];
    let ran = yard.run("env -0 | sort -z | tr '\\0' '|'", &profile).await;
    assert_eq!(
        ran.output,
        "HOME=/tmp/home|LANG=C.UTF-8|MINE=a b\nc|PATH=/usr/local/bin:/usr/bin:/bin|PWD=/tmp|SHLVL=1|\
         TERM=dumb|TMPDIR=/tmp|_=/usr/bin/env|",
        "{ran:?}"
    );
}

/// The number of root is enough to change the machine.
#[tokio::test]
async fn no_program_has_the_rights_of_root() {
    let yard = Yard::new();
    let script = "id -u; grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/self/status";
    let ran = yard.run(script, &SandboxProfile::new("/tmp")).await;
    let (user, rest) = ran.output.split_once('\n').unwrap();
    assert_ne!(user, "0");
    assert_eq!(rest, "CapEff:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n");
    let folder = yard.outside.path().join("ours");
    fs::create_dir(&folder).unwrap();
    if toolwright_testkit::is_root() {
        let profile = SandboxProfile::new(&folder).showing(NONE, [folder], NONE);
        let none = yard.sandbox.check("true".as_ref(), &profile).unwrap_err();
        assert!(none.reason.contains("belongs to root"), "{none:?}");
    }
}
