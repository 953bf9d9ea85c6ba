//! [`AGENTS`]: the files that tell agents what to do, whoever's agents they are.

/// The files that tell agents what to do, from a workspace's root.
pub(crate) const AGENTS: [&str; 7] = [
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".cursorrules",
    ".windsurfrules",
    ".github/copilot-instructions.md",
];
