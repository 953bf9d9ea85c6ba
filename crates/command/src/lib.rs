//! Any executable as a tool.
