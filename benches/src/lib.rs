//! What a conversation with tools costs, against a server that answers from a script.
//!
//! - [`scenario`]: the three conversations, known to the server and to every client alike.
//! - [`drive`](mod@drive): the frame of a client; it needs only a function that holds one
//!   conversation.
//! - [`measure`]: processor time, memory, and the line of JSON that a client prints.
//!
//! The programs are in `src/bin`; `run.py` runs them side by side and prints the tables.

pub mod drive;
pub mod measure;
pub mod scenario;
