//! Makes `crates/dapr/src/proto.rs` from `crates/dapr/proto/dapr.proto`. No `protoc` is needed.

use std::{error::Error, fs, path::Path};

const HEAD: &str = "\
//! Messages of Dapr's runtime API.
//!
//! Made from `proto/dapr.proto` by `generate/`, and not to be changed by hand: README.md tells how.

";

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = protox::compile([root.join("proto/dapr.proto")], [root.join("proto")])?;
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/made");
    fs::create_dir_all(&out)?;
    let mut config = prost_build::Config::new();
    config.out_dir(&out).disable_comments(["."]).btree_map(["."]);
    config.compile_fds(files)?;
    let made = fs::read_to_string(out.join("dapr.proto.runtime.v1.rs"))?;
    fs::write(root.join("src/proto.rs"), format!("{HEAD}{made}"))?;
    Ok(())
}
