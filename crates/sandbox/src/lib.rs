//! Walls around programs that are started.
