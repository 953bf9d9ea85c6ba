//! [`write`]: a project whose slash commands are the prompts that the conformance tests ask for.

use std::{fs, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use toolwright_app::{
    Config,
    config::{FolderContents, TrustVerdict},
};

use crate::fixtures::PICTURE;

const COMMANDS: [(&str, &str); 5] = [
    ("test_simple_prompt", "This is a simple prompt for testing.\n"),
    (
        "test_prompt_with_arguments",
        "---\nargument-hint: arg1 arg2\n---\nPrompt with arguments: arg1='$1', arg2='$2'\n",
    ),
    (
        "test_prompt_with_embedded_resource",
        "---\nargument-hint: resourceUri\n---\nPlease process the embedded resource: @resource.txt\n",
    ),
    ("test_prompt_with_image", "Please analyze the image: @point.png\n"),
    ("test_input_required_result_prompt", "---\nargument-hint: context\n---\nUse this: $1\n"),
];

/// Writes the project into a folder.
pub(crate) fn write(folder: &Path) {
    let commands = folder.join(".toolwright/commands");
    fs::create_dir_all(&commands).unwrap();
    for (name, text) in COMMANDS {
        fs::write(commands.join(name).with_extension("md"), text).unwrap();
    }
    fs::write(folder.join("resource.txt"), "Embedded resource content for testing.").unwrap();
    fs::write(folder.join("point.png"), STANDARD.decode(PICTURE).unwrap()).unwrap();
}

/// Trusts it, as its user would.
pub(crate) fn trust(config: &Config, folder: &Path) {
    let contents = FolderContents::read(folder).unwrap().unwrap();
    config.trust().say(&contents, TrustVerdict::Trusted).unwrap();
}
