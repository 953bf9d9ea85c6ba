//! SandboxProfile around programs.
//!
//! Bubblewrap builds the outer walls: namespaces, and a file system of which a program sees the
//! system's programs, what its [`SandboxProfile`] name, and nothing else. Inside of them [`enter`] puts up the
//! inner ones, resource limits, Landlock and a filter of system calls, waits until the program is in
//! its control group, and becomes the program. What cannot be walled in does not run.
//!
//! [`Sandbox::run`] runs a program to its end and keeps what it wrote; [`Sandbox::start`] starts one
//! that stays, with pipes to it. Nothing of either is left when it is dropped, nor when this process
//! is killed.

#[cfg(target_os = "linux")]
mod accounts;
#[cfg(target_os = "linux")]
mod arguments;
mod capture;
#[cfg(target_os = "linux")]
mod cgroup;
#[cfg(target_os = "linux")]
mod door;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod enter;
#[cfg(target_os = "linux")]
mod fence;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod handover;
#[cfg(target_os = "linux")]
mod here;
mod job;
#[cfg(target_os = "linux")]
mod launch;
mod no_sandbox;
#[cfg(target_os = "linux")]
mod person;
#[cfg(target_os = "linux")]
mod private;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod process;
mod profile;
#[cfg(target_os = "linux")]
mod program;
#[cfg(target_os = "linux")]
mod refusal;
#[cfg(target_os = "linux")]
mod run;
#[cfg(target_os = "linux")]
mod running;
mod screen;
mod settings;
mod shared;
mod size;
#[cfg(target_os = "linux")]
mod spawner;
#[cfg(target_os = "linux")]
mod trial;
mod unwalled;
mod words;

#[cfg(not(target_os = "linux"))]
pub use self::elsewhere::{Process, Sandbox, enter};
#[cfg(target_os = "linux")]
pub use self::{enter::enter, here::Sandbox, process::Process};
pub use self::{
    job::{AtEnd, DiskReserve, Ending, Finished, Job, Output, Streams},
    no_sandbox::NoSandbox,
    profile::{Mount, Network, Preparation, SameFile, SandboxProfile, Variables, programs},
    settings::{Helper, Limits, RootCommands, SandboxSettings},
    shared::SharedSandbox,
    size::size,
    unwalled::run_unwalled,
    words::Words,
};

/// The first argument with which a program starts another one inside a sandbox.
pub const ENTER: &str = "__enter";
