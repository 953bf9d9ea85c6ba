//! The Agent Client Protocol: editors that drive runs.
