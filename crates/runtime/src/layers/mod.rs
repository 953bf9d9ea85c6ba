//! Policy layers: what a call passes on its way to its tool. Each is a tool around a tool.

pub(crate) mod timeout;
