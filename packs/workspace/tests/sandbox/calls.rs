//! What a command can ask of the kernel.

use crate::support::Yard;

#[tokio::test]
async fn b05_no_rights_and_no_way_to_get_them() {
    let yard = Yard::new();
    for attempt in [
        "mount -o remount,rw /",
        "mount -o remount,rw,bind /",
        "mount -o remount,rw,bind /usr",
        "mount -t tmpfs none /tmp/home",
        "mount --bind /tmp /usr",
        "umount /proc",
        "unshare -Ur true",
        "unshare -n true",
        "unshare -m true",
        "unshare -p -f true",
        "/usr/sbin/chroot / true",
        "mknod node b 8 0",
        "mknod /tmp/node c 1 1",
        "chown 1234 /usr/bin/true",
        "hostname other",
        "echo 1 > /proc/sys/kernel/sysrq",
        "echo 0 > /proc/sys/user/max_user_namespaces",
        "dmesg",
        "nsenter -t 1 -a true",
        "setpriv --reuid 1234 true",
        "su -c true",
        "python3 -c 'import ctypes,os; l=ctypes.CDLL(None,use_errno=True); os._exit(0 if l.ptrace(16,1,0,0)==0 else 1)'",
    ] {
        yard.fails(attempt).await;
    }
    let own = std::process::id();
    yard.fails(&format!("kill -0 {own}; kill -9 {own}")).await;
    let seen = yard.works("ls /proc | grep -c '^[0-9]'").await;
    let seen: u32 = seen.lines().next().unwrap().parse().unwrap();
    assert!(seen < 8, "{seen} processes are seen");

    let status = yard.works("cat /proc/self/status").await;
    for line in [
        "CapInh:\t0000000000000000",
        "CapPrm:\t0000000000000000",
        "CapEff:\t0000000000000000",
        "CapAmb:\t0000000000000000",
        "CapBnd:\t0000000000000000",
        "NoNewPrivs:\t1",
        "Seccomp:\t2",
    ] {
        assert!(status.lines().any(|it| it == line), "{line}: {status}");
    }
}

const ERRNO: &str = "#define _GNU_SOURCE\n#include <errno.h>\n#include <stdio.h>\n\
    #include <sched.h>\n#include <signal.h>\n#include <string.h>\n#include <sys/ioctl.h>\n\
    #include <sys/ptrace.h>\n#include <sys/socket.h>\n#include <sys/syscall.h>\n\
    #include <unistd.h>\n#include <fcntl.h>\n\
    static void say(const char *what, long got) {\n\
    printf(\"%s %s\\n\", what, got < 0 ? strerrorname_np(errno) : \"worked\"); }\n";

#[tokio::test]
async fn b06_calls_that_go_past_the_walls_are_denied() {
    let yard = Yard::new();
    let source = format!(
        "{ERRNO}int main(void) {{\n\
         char params[256] = {{0}};\n\
         say(\"io_uring_setup\", syscall(425, 8, params));\n\
         say(\"io_uring_enter\", syscall(426, 3, 1, 1, 0, 0, 0));\n\
         say(\"io_uring_register\", syscall(427, 3, 0, 0, 0));\n\
         return 0; }}\n"
    );
    yard.compile("ring", &source);
    let said = yard.works("./ring").await;
    let expected = "io_uring_setup EPERM\nio_uring_enter EPERM\nio_uring_register EPERM\n";
    assert!(said.starts_with(expected), "{said}");

    let source = format!(
        "{ERRNO}int main(void) {{\n\
         char params[64] = {{0}};\n\
         say(\"traceme\", ptrace(PTRACE_TRACEME, 0, 0, 0));\n\
         say(\"attach\", ptrace(PTRACE_SEIZE, getppid(), 0, 0));\n\
         say(\"vm_readv\", syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0));\n\
         say(\"vsock\", socket(40, SOCK_STREAM, 0));\n\
         say(\"packet\", socket(17, SOCK_RAW, 0));\n\
         say(\"alg\", socket(38, SOCK_SEQPACKET, 0));\n\
         say(\"high\", syscall(SYS_socket, 0x100000028UL, SOCK_STREAM, 0));\n\
         say(\"clone\", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));\n\
         say(\"clone3\", syscall(435, 0, 0));\n\
         say(\"openat2\", syscall(437, AT_FDCWD, \".\", params, 24));\n\
         say(\"unshare\", unshare(CLONE_NEWNS));\n\
         say(\"bpf\", syscall(SYS_bpf, 0, 0, 0));\n\
         say(\"keyctl\", syscall(SYS_keyctl, 0, -3, 0));\n\
         say(\"userfaultfd\", syscall(SYS_userfaultfd, 0));\n\
         say(\"handle\", syscall(SYS_open_by_handle_at, 0, 0, 0));\n\
         say(\"open_tree\", syscall(428, AT_FDCWD, \"/\", 1));\n\
         say(\"fsopen\", syscall(430, \"tmpfs\", 0));\n\
         say(\"mount_setattr\", syscall(442, AT_FDCWD, \"/\", 0, 0, 0));\n\
         say(\"pidfd_getfd\", syscall(438, 0, 0, 0));\n\
         say(\"sti\", ioctl(0, TIOCSTI, \"x\"));\n\
         say(\"sti_high\", syscall(SYS_ioctl, 0, 0x100005412UL, \"x\"));\n\
         say(\"linux\", ioctl(0, 0x541c, \"x\"));\n\
         int file = open(\"flags\", O_RDWR | O_CREAT, 0644); int flags = 0x40;\n\
         say(\"flags\", ioctl(file, 0x40086602, &flags));\n\
         say(\"flags_32\", ioctl(file, 0x40046602, &flags));\n\
         say(\"flags_high\", syscall(SYS_ioctl, file, 0x140086602UL, &flags));\n\
         say(\"fsxattr\", ioctl(file, 0x401c5820, params));\n\
         say(\"perf\", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));\n\
         return 0; }}\n"
    );
    yard.compile("calls", &source);
    let said = yard.works("./calls").await;
    for line in said.lines().filter(|line| !line.starts_with('[')) {
        let unknown = line.starts_with("clone3") || line.starts_with("openat2");
        let expected = if unknown { "ENOSYS" } else { "EPERM" };
        assert!(line.ends_with(&format!(" {expected}")), "{said}");
    }
    assert_eq!(said.lines().count(), 28, "{said}");
}

#[cfg(target_arch = "x86_64")]
#[tokio::test]
async fn b06_calls_by_the_numbers_of_other_machines_are_denied() {
    let yard = Yard::new();
    let source = format!(
        "{ERRNO}int main(void) {{\n\
         say(\"getpid\", syscall(0x40000000 | SYS_getpid));\n\
         say(\"ring\", syscall(0x40000000 | 425, 8, 0));\n\
         say(\"ptrace\", syscall(0x40000000 | 521, 0, 0, 0, 0));\n\
         say(\"mount\", syscall(0x40000000 | SYS_mount, 0, 0, 0, 0, 0));\n\
         return 0; }}\n"
    );
    yard.compile("x32", &source);
    let said = yard.works("./x32").await;
    assert!(said.starts_with("getpid EPERM\nring EPERM\nptrace EPERM\nmount EPERM\n"), "{said}");
    // By the numbers of the 386, 20 is getpid: whoever calls so is stopped.
    let source = "#include <stdio.h>\nint main(void) { long got;\n\
        __asm__ volatile(\"int $0x80\" : \"=a\"(got) : \"a\"(20L) : \"memory\");\n\
        printf(\"got %ld\\n\", got); return 0; }\n";
    yard.compile("old", source);
    let said = yard.run("./old").await;
    let text = said.unwrap_or_else(|error| error.message().to_owned());
    assert!(!text.contains("got ") || text.contains("got -"), "{text}");
}

#[tokio::test]
async fn b05_a_program_cannot_be_left_that_gives_rights_to_others() {
    for yard in Yard::both() {
        yard.works("cp /usr/bin/true program; chmod 755 program; chmod g+w program").await;
        for bits in ["4", "2", "6"] {
            let open =
                |flags: &str| format!("python3 -c 'import os; os.open({flags}, 0o{bits}755)'");
            for attempt in [
                format!("chmod {bits}755 program"),
                format!("umask 0; install -m {bits}755 program other"),
                open("\"made\", os.O_CREAT | os.O_WRONLY"),
                open("\".\", os.O_TMPFILE | os.O_WRONLY"),
                format!("python3 -c 'import os; os.mknod(\"made\", 0o10{bits}755)'"),
            ] {
                yard.fails(&attempt).await;
            }
        }
        yard.fails("chmod u+s program").await;
        yard.fails("chmod g+s program").await;
        let said = yard.works("find . -perm /6000 -not -type d").await;
        assert!(said.starts_with("[exit 0"), "{said}");
    }
}

#[tokio::test]
async fn b05_files_get_no_rights_beside_their_mode() {
    for yard in Yard::both() {
        yard.works("mkdir folder; cp -a /usr/bin/true program").await;
        for attempt in [
            "setfacl -m u:65534:rwx program",
            "setfacl -d -m u:65534:rwx folder",
            "/usr/sbin/setcap cap_setuid+ep program || setcap cap_setuid+ep program",
            "python3 -c 'import os; os.setxattr(\"program\", \"user.x\", b\"y\")'",
            "python3 -c 'import os; os.setxattr(\"program\", \"security.capability\", bytes(20))'",
        ] {
            yard.fails(attempt).await;
        }
        assert!(yard.works("getfacl -c folder | grep -c default: || true").await.starts_with('0'));
    }
}

/// Every file there is in `/proc` is opened to be written, but for what a process has open itself.
#[tokio::test]
async fn b05_nothing_of_the_kernel_can_be_set() {
    let walk = "python3 - <<'E'\n\
        import os\n\
        for at, _, names in os.walk('/proc'):\n\
        \x20   if '/fd' in at or '/map_files' in at: continue\n\
        \x20   for name in names:\n\
        \x20       try: os.close(os.open(f'{at}/{name}', os.O_WRONLY | os.O_NONBLOCK))\n\
        \x20       except OSError: continue\n\
        \x20       print('open', f'{at}/{name}')\n\
        E\n\
        echo looked";
    for yard in Yard::both() {
        let said = yard.works(walk).await;
        assert!(said.starts_with("looked\n"), "{said}");
        yard.fails("echo x > /proc/sys/kernel/core_pattern").await;
        yard.fails("cat /proc/keys").await;
        // What programs do with their own outputs goes on working.
        let said = yard.works("echo out > /dev/stdout; echo err > /proc/self/fd/2").await;
        assert!(said.starts_with("out\nerr\n"), "{said}");
    }
}

#[tokio::test]
async fn what_builds_need_still_works() {
    let yard = Yard::new();
    yard.put("a.c", "#include <stdio.h>\nint main(void) { puts(\"built\"); return 0; }\n");
    let said = yard
        .works(
            "cc a.c -o a && ./a && python3 -c 'import threading as t, subprocess as s; \
             x = t.Thread(target=lambda: s.run([\"echo\", \"child\"])); x.start(); x.join()' && \
             echo piped | tr a-z A-Z && id -u && date +%Z && mkfifo /tmp/f && \
             python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs, [-1, -2]))'",
        )
        .await;
    assert!(said.starts_with("built\nchild\nPIPED\n"), "{said}");
    assert!(said.contains("[1, 2]\n"), "{said}");
    let node = "require('child_process').exec('echo of node', (_, out) => console.log(out.trim()))";
    let said = yard
        .works(&format!("node -e \"{node}\"; cp -a a b && ./b; tar c a | tar x -O | wc -c"))
        .await;
    assert!(said.starts_with("of node\nbuilt\n"), "{said}");
}
