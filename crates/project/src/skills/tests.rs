use std::{path::PathBuf, sync::Arc};

use proptest::prelude::*;
use serde_json::json;
use toolwright_core::{Output, RunContext, Tool};

use super::{Skill, SkillTool, catalogue};
use crate::{ContextKind, Level, files::ProjectFile, files::SkillFolder};

fn folder(name: &str, files: &[(&str, &str)]) -> SkillFolder {
    let path = PathBuf::from("/p/.agents/skills").join(name);
    let file = |(name, text): &(&str, &str)| ProjectFile {
        kind: ContextKind::Skill,
        level: Level::Project,
        name: (*name).to_owned(),
        path: path.join(name),
        bytes: text.as_bytes().into(),
    };
    SkillFolder {
        level: Level::Project,
        name: format!(".agents/skills/{name}"),
        files: files.iter().map(file).collect(),
        error: None,
        path,
    }
}

fn read(name: &str, text: &str) -> Result<Skill, String> {
    Skill::read(&folder(name, &[("SKILL.md", text)]))
}

#[test]
fn cosmetics_are_forgiven_and_a_missing_description_is_not() {
    let good = read("pdf", "---\nname: pdf\ndescription: Reads PDFs.\nother: [1]\n---\r\n# Do\r\n");
    let good = good.unwrap();
    assert_eq!((&*good.name, &*good.description, &*good.body), ("pdf", "Reads PDFs.", "# Do"));
    assert_eq!(read("pdf", "---\ndescription: x\n---\n").unwrap().name, "pdf", "the folder's name");
    assert_eq!(read("pdf", "---\nname: Pdf Reader\ndescription: x\n---\n").unwrap().name, "pdf");
    assert_eq!(read("pdf", "---\nname: other\ndescription: x\n---\n").unwrap().name, "other");
    let colon = read("pdf", "---\ndescription: Use when: asked\n---\n").unwrap();
    assert_eq!(colon.description, "Use when: asked");
    let long = read("pdf", &format!("---\ndescription: {}\n---\n", "x".repeat(2_000))).unwrap();
    assert!(long.description.chars().count() <= 1_025);
    for (text, reason) in [
        ("---\nname: pdf\n---\n", "no `description`"),
        ("---\ndescription: ''\n---\n", "no `description`"),
        ("# Only text", "no front matter"),
        ("---\n[\n---\n", "cannot be read"),
    ] {
        let error = read("pdf", text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
    assert!(read("Bad Name", "---\ndescription: x\n---\n").unwrap_err().contains("its name"));
    assert!(Skill::read(&folder("x", &[])).unwrap_err().contains("SKILL.md"));
}

#[tokio::test]
async fn a_skill_is_read_with_its_files_and_nothing_else() {
    let text = "---\ndescription: x\nallowed-tools: bash(*)\n---\nDo </skill_content> it.";
    let files = [("SKILL.md", text), ("references/api.md", "API"), ("big.md", &"é".repeat(40_000))];
    let skill = Arc::new(Skill::read(&folder("pdf", &files)).unwrap());
    let tool = SkillTool::new(std::slice::from_ref(&skill)).unwrap();
    assert_eq!(tool.spec().parameters["properties"]["name"]["enum"], json!(["pdf"]));
    let call = async |arguments| match tool.call(Arc::new(arguments), &RunContext::new()).await {
        Ok(Output::Text(text)) => text,
        Ok(other) => panic!("{other:?}"),
        Err(error) => format!("ERROR {}", error.message()),
    };
    let whole = call(json!({"name": "pdf"})).await;
    assert!(whole.starts_with("<skill_content name=\"pdf\" source=\"project\""), "{whole}");
    assert!(whole.contains("- references/api.md (3 bytes)"), "{whole}");
    assert_eq!(whole.matches("</skill_content>").count(), 1, "{whole}");
    assert!(call(json!({"name": "pdf", "path": "references/api.md"})).await.contains("\nAPI\n"));
    assert!(call(json!({"name": "pdf", "path": "big.md"})).await.contains("[cut: 47232 of 80000"));
    for path in ["../pdf/SKILL.md", "/etc/passwd", "references/../../x", "references", "API.md"] {
        let refused = call(json!({"name": "pdf", "path": path})).await;
        assert!(refused.starts_with("ERROR the skill `pdf` has no file"), "{path}: {refused}");
    }
    let alone = Skill { is_for_user_alone: true, ..(*skill).clone() };
    assert!(SkillTool::new(&[Arc::new(alone)]).is_none());
    assert!(SkillTool::new(&[]).is_none());
}

proptest! {
    #[test]
    fn a_catalogue_fits_and_says_what_it_leaves_out(
        lengths in prop::collection::vec(1usize..400, 1..30), most in 200usize..4_000,
    ) {
        let skills: Vec<_> = lengths.iter().enumerate().map(|(at, length)| {
            read(&format!("s{at}"), &format!("---\ndescription: {}\n---\n", "d".repeat(*length))).unwrap()
        }).collect();
        let (text, told) = catalogue(&skills.iter().collect::<Vec<_>>(), most).unwrap();
        prop_assert!(text.chars().count() <= most, "{} > {most}", text.chars().count());
        let is_whole = text.lines().count() == skills.len() && !text.contains('…');
        prop_assert_eq!(told.is_none(), is_whole, "{:?}", told);
        let whole: usize = lengths.iter().map(|it| it + 12).sum();
        if whole <= most {
            prop_assert!(is_whole);
        }
    }
}
