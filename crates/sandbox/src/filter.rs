//! [`put_up`]: the filter of system calls.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen::Dword, SeccompCmpOp,
    SeccompCondition, SeccompFilter, SeccompRule, sock_filter,
};

/// Calls that are never allowed: ways around the other walls, ways into other processes, and parts
/// of the kernel that no build or test needs.
const NEVER: &[c_long] = &[
    // Does what other calls do, past every filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Into other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_mount_setattr,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    // Programs and keys in the kernel.
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_fanotify_init,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // The machine as a whole.
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

// Newer than the constants; the same on every machine.
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;

/// Flags that make a namespace.
const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Kinds of sockets that the network namespace holds in. Others, as that between virtual machines, go
/// past it. So do those with a name in a folder: whatever program of the machine listens on one that
/// can be seen could be asked to do what a command may not.
const SOCKETS: &[i32] = &[libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Kinds of pairs of sockets that can be sent to a name all the same. The kernel takes the second for
/// the first.
const ADDRESSED: &[i32] = &[libc::SOCK_DGRAM, libc::SOCK_RAW];

/// The bits of a socket's kind that are no flags.
const KIND: u64 = 0xf;

/// Put text into a terminal, as if somebody had typed it: `TIOCSTI` and `TIOCLINUX`, whose types differ
/// between C libraries.
const TYPING: &[u64] = &[0x5412, 0x541c];

/// Give a file attributes that outlast the command, as `chattr` does: `FS_IOC_SETFLAGS`, the same for
/// programs of 32 bits, and `FS_IOC_FSSETXATTR`. A file that cannot be changed could be put aside by
/// nobody but the administrator.
const FLAGS: &[u64] = &[0x4008_6602, 0x4004_6602, 0x401c_5820];

/// Calls that make or change a file, with the place of the file's mode among their arguments. A
/// program that gives its owner's or its group's rights to whoever starts it would work outside, too.
const MODES: &[(c_long, u8)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (FCHMODAT2, 2),
    (libc::SYS_mknodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
];

/// What gives such rights: the owner's, the group's.
const RIGHTS: [u32; 2] = [libc::S_ISUID, libc::S_ISGID];

/// The same, where the argument before it says whether there is a mode.
const OPENS: &[(c_long, u8)] = &[
    (libc::SYS_openat, 3),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 2),
];

/// Applies the filter to this process and whatever it becomes or starts.
pub(super) fn put_up() -> Result<(), String> {
    let filter = denied().map_err(|error| error.to_string())?;
    for program in [missing(), filter] {
        seccompiler::apply_filter(&program).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// What is answered with "not permitted".
fn denied() -> Result<BpfProgram, BackendError> {
    let mut rules = Rules::new();
    for call in NEVER {
        rules.insert(*call, Vec::new());
    }
    let flags = NAMESPACES.iter().map(|flag| rule([has(0, flag.unsigned_abs())]));
    rules.insert(libc::SYS_clone, flags.collect::<Result<_, _>>()?);
    let controls = TYPING.iter().chain(FLAGS);
    let controls = controls.map(|call| rule([is(1, SeccompCmpOp::Eq, *call)]));
    rules.insert(libc::SYS_ioctl, controls.collect::<Result<_, _>>()?);
    let others = SOCKETS.iter().map(|kind| is(0, SeccompCmpOp::Ne, kind.unsigned_abs().into()));
    rules.insert(libc::SYS_socket, vec![rule(others)?]);
    rules.insert(libc::SYS_socketpair, pairs()?);
    for (call, mode) in MODES {
        let rights = RIGHTS.map(|right| rule([has(*mode, right)]));
        rules.insert(*call, rights.into_iter().collect::<Result<_, _>>()?);
    }
    for (call, mode) in OPENS {
        let making = [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY];
        let making = making.iter().flat_map(|flag| {
            let flag = (mode.saturating_sub(1), flag.unsigned_abs());
            RIGHTS.map(|right| rule([has(flag.0, flag.1), has(*mode, right)]))
        });
        rules.insert(*call, making.collect::<Result<_, _>>()?);
    }
    let (otherwise, found) =
        (SeccompAction::Allow, SeccompAction::Errno(libc::EPERM.unsigned_abs()));
    let machine = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, otherwise, found, machine)?.try_into()
}

/// Pairs of sockets that are not: those that reach more than each other.
fn pairs() -> Result<Vec<SeccompRule>, BackendError> {
    let other = rule([is(0, SeccompCmpOp::Ne, libc::AF_UNIX.unsigned_abs().into())]);
    let addressed = ADDRESSED
        .iter()
        .map(|kind| rule([is(1, SeccompCmpOp::MaskedEq(KIND), kind.unsigned_abs().into())]));
    [other].into_iter().chain(addressed).collect()
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
type Condition = Result<SeccompCondition, BackendError>;

/// What holds when all of the conditions do.
fn rule(conditions: impl IntoIterator<Item = Condition>) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(conditions.into_iter().collect::<Result<_, _>>()?)
}

fn is(argument: u8, op: SeccompCmpOp, value: u64) -> Condition {
    SeccompCondition::new(argument, Dword, op, value)
}

/// Whether the argument has the flag.
fn has(argument: u8, flag: u32) -> Condition {
    is(argument, SeccompCmpOp::MaskedEq(flag.into()), flag.into())
}

/// Calls that give a file attributes beside its content: rights of the administrator, or rights in a
/// folder that every file made there later gets.
const ATTRIBUTES: [c_long; 5] =
    [libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, SETXATTRAT, FILE_SETATTR];

/// `clone3` and `openat2`, whose flags no filter can read, are answered as if the kernel did not know
/// them: libraries then use `clone` and `openat`. Attributes are answered as if the file system had
/// none, which is what programs that copy them expect. Calls by the numbers of x32, under which any
/// other call could be made, are not permitted. Calls of another machine altogether end the process,
/// by the other filter.
fn missing() -> BpfProgram {
    const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
    const EQUAL: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
    const AT_LEAST: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    const NUMBER: u32 = 0;
    const X32: u32 = 0x4000_0000;
    const ERRNO: u32 = 0x0005_0000;
    const ALLOW: u32 = 0x7fff_0000;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let number = |call: c_long| u32::try_from(call).unwrap_or(u32::MAX);
    // One that is not meant goes on behind the answer to it.
    let answer = |code, k, error: i32| {
        let skip = step(code, 0, 1, k);
        [skip, step(RETURN, 0, 0, ERRNO | error.unsigned_abs())]
    };
    let mut program = vec![step(LOAD, 0, 0, NUMBER)];
    program.extend(answer(AT_LEAST, X32, libc::EPERM));
    for call in [libc::SYS_clone3, libc::SYS_openat2] {
        program.extend(answer(EQUAL, number(call), libc::ENOSYS));
    }
    for call in ATTRIBUTES {
        program.extend(answer(EQUAL, number(call), libc::EOPNOTSUPP));
    }
    program.push(step(RETURN, 0, 0, ALLOW));
    program
}
