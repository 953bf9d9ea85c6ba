//! What a command can reach.

use std::{
    io::ErrorKind,
    net::{TcpListener, UdpSocket},
    os::{
        linux::net::SocketAddrExt,
        unix::{
            fs::PermissionsExt,
            net::{SocketAddr, UnixDatagram, UnixListener},
        },
    },
};

use crate::support::{Yard, shown};

#[tokio::test]
async fn b03_nothing_leaves() {
    let yard = Yard::new();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let (tcp_port, udp_port) = (tcp.local_addr().unwrap().port(), udp.local_addr().unwrap().port());

    for attempt in [
        "exec 3<>/dev/tcp/1.1.1.1/80".to_owned(),
        format!("exec 3<>/dev/tcp/127.0.0.1/{tcp_port}"),
        "getent hosts example.com".to_owned(),
        "timeout 5 curl -sS -m 3 http://1.1.1.1/".to_owned(),
        "timeout 5 nc -w 2 1.1.1.1 80".to_owned(),
        "timeout 5 ping -c 1 -W 2 1.1.1.1".to_owned(),
        "python3 -c 'import socket; socket.create_connection((\"1.1.1.1\", 53), 2)'".to_owned(),
        "python3 -c 'import socket; s = socket.socket(2, 2); s.sendto(b\"x\", (\"8.8.8.8\", 53))'".to_owned(),
        "python3 -c 'import socket; s = socket.socket(10, 2); s.sendto(b\"x\", (\"2001:db8::1\", 53))'".to_owned(),
        "python3 -c 'import socket; socket.socket(2, 3, 1)'".to_owned(),
        "python3 -c 'import socket; socket.socket(17, 3, 0)'".to_owned(),
    ] {
        yard.fails(&attempt).await;
    }
    // Sending to its own loopback works, and arrives nowhere else.
    let _ = yard.run(&format!("echo x > /dev/udp/127.0.0.1/{udp_port}")).await;
    assert_eq!(tcp.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    assert_eq!(udp.recv(&mut [0; 8]).unwrap_err().kind(), ErrorKind::WouldBlock);

    let said = yard.works("cat /proc/net/dev | tail -n +3; cat /proc/net/route | tail -n +2").await;
    let cards: Vec<&str> = said.lines().filter(|line| !line.starts_with('[')).collect();
    assert!(matches!(cards.as_slice(), [only] if only.trim().starts_with("lo:")), "{said}");
}

#[tokio::test]
async fn b03_the_own_loopback_works() {
    let yard = Yard::new();
    let said = yard
        .works(
            "python3 - <<'E'\n\
             import socket\n\
             s = socket.create_server(('127.0.0.1', 0))\n\
             c = socket.create_connection(s.getsockname())\n\
             c.send(b'hello'); print(s.accept()[0].recv(5).decode())\n\
             E",
        )
        .await;
    assert!(said.starts_with("hello\n"), "{said}");
}

#[tokio::test]
async fn b04_servers_of_this_machine_cannot_be_reached() {
    let yard = Yard::new();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let all = TcpListener::bind("0.0.0.0:0").unwrap();
    let path = yard.outside.path().join("docker.sock");
    let unix = UnixListener::bind(&path).unwrap();
    let name = format!("toolwright-test-{:x}", fastrand::u64(..));
    let hidden = SocketAddr::from_abstract_name(&name).unwrap();
    let hidden = UnixListener::bind_addr(&hidden).unwrap();
    tcp.set_nonblocking(true).unwrap();
    all.set_nonblocking(true).unwrap();
    unix.set_nonblocking(true).unwrap();
    hidden.set_nonblocking(true).unwrap();

    for port in [&tcp, &all].map(|it| it.local_addr().unwrap().port()) {
        yard.fails(&format!("exec 3<>/dev/tcp/127.0.0.1/{port}")).await;
        yard.fails(&format!("exec 3<>/dev/tcp/localhost/{port}")).await;
    }
    let connect =
        |to: &str| format!("python3 -c 'import socket; s = socket.socket(1); s.connect(\"{to}\")'");
    yard.fails(&connect(&shown(&path))).await;
    yard.fails(&connect("/run/docker.sock")).await;
    yard.fails(&connect(&format!("\\0{name}"))).await;

    for accepted in [tcp.accept().err(), all.accept().err()] {
        assert_eq!(accepted.map(|it| it.kind()), Some(ErrorKind::WouldBlock));
    }
    for accepted in [unix.accept().err(), hidden.accept().err()] {
        assert_eq!(accepted.map(|it| it.kind()), Some(ErrorKind::WouldBlock));
    }
}

/// A program of the machine that listens in the workspace, or in what can be read, is not reached: by
/// no kind of socket, and by no pair of them that could be pointed at it.
#[tokio::test]
async fn b04_sockets_in_the_workspace_cannot_be_reached() {
    let readable = tempfile::tempdir().unwrap();
    std::fs::set_permissions(readable.path(), PermissionsExt::from_mode(0o777)).unwrap();
    let yard = Yard::with(|settings| settings.readable = vec![readable.path().to_owned()]);
    let paths = [yard.root().join("s"), readable.path().join("s")];
    for path in &paths {
        let listener = UnixListener::bind(path).unwrap();
        listener.set_nonblocking(true).unwrap();
        let letters = path.with_file_name("d");
        let letterbox = UnixDatagram::bind(&letters).unwrap();
        letterbox.set_nonblocking(true).unwrap();
        for each in [path, &letters] {
            std::fs::set_permissions(each, PermissionsExt::from_mode(0o777)).unwrap();
        }
        let (stream, letters) = (shown(path), shown(&letters));
        for attempt in [
            format!("s.socket(1, 1).connect('{stream}')"),
            format!("s.socket(1, 2).sendto(b'x', '{letters}')"),
            format!("s.socketpair(1, 2)[0].sendto(b'x', '{letters}')"),
            format!("s.socketpair(1, 3)[0].sendto(b'x', '{letters}')"),
            format!("s.socketpair(1, 2)[0].connect('{letters}')"),
            format!("s.socketpair(1, 1)[0].connect('{stream}')"),
            format!("s.socketpair(1, 5)[0].connect('{stream}')"),
        ] {
            yard.fails(&format!("python3 -c \"import socket as s; {attempt}\"")).await;
        }
        assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
        assert_eq!(letterbox.recv(&mut [0; 8]).unwrap_err().kind(), ErrorKind::WouldBlock);
    }
    // What programs talk to their children through works.
    yard.works("python3 -c 'import socket; a, b = socket.socketpair(); a.send(b\"x\"); b.recv(1)'")
        .await;
}
