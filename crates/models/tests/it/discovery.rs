//! Servers on this machine.
