//! [`correction`]: what the model is told about its answer.

use super::{Finding, FindingKind, ReviewCheck};

/// What the model is told, saying exactly what is wrong, so that it can correct the answer in one
/// round. Empty where nothing was found.
pub fn correction(findings: &[Finding]) -> String {
    const LAST: &str = "Then give the whole answer again, and do not mention this correction.";
    let has = |kind: FindingKind| findings.iter().any(|it| it.kind == kind);
    let empty = has(FindingKind::Empty)
        .then(|| "Your answer is empty. Answer the question from what the tools returned.".into());
    let apology = has(FindingKind::Apology).then(|| {
        "Your answer apologises, but the tools did answer. Answer the question from what they \
         returned."
            .into()
    });
    let all = [empty, apology, undone(findings), unsupported(findings), judged(findings)];
    let mut words: Vec<String> = all.into_iter().flatten().collect();
    if !words.is_empty() {
        words.push(LAST.into());
    }
    words.join(" ")
}

fn unsupported(findings: &[Finding]) -> Option<String> {
    let kinds = [
        ("figures", FindingKind::Figure),
        ("dates and times", FindingKind::Date),
        ("ids and links", FindingKind::Id),
        ("names", FindingKind::Name),
        ("quoted lines", FindingKind::Quote),
    ];
    let listed = kinds.into_iter().filter_map(|(word, kind)| {
        let of_kind = |it: &&Finding| it.check == ReviewCheck::Supported && it.kind == kind;
        let texts = findings.iter().filter(of_kind).map(|it| format!("`{}`", it.text));
        let texts: Vec<String> = texts.collect();
        (!texts.is_empty()).then(|| format!("{word} {}", texts.join(", ")))
    });
    let listed: Vec<String> = listed.collect();
    (!listed.is_empty()).then(|| {
        format!(
            "Your answer says things that no tool returned and the user did not say: {}. Replace \
             each with what the results say, or leave it out; if a result is missing, call the \
             tool for it.",
            listed.join("; ")
        )
    })
}

fn undone(findings: &[Finding]) -> Option<String> {
    let undone = findings.iter().filter(|it| it.kind == FindingKind::Undone);
    let texts: Vec<String> = undone.map(|it| format!("`{}`", it.text)).collect();
    (!texts.is_empty()).then(|| {
        format!(
            "Your answer says that something was done, but no call did it: {}. Do it with a tool, or \
             say plainly that it was not done, and why.",
            texts.join(", ")
        )
    })
}

fn judged(findings: &[Finding]) -> Option<String> {
    let judged = findings.iter().filter(|it| it.kind == FindingKind::Claim && !it.text.is_empty());
    let texts: Vec<&str> = judged.map(|it| it.text.as_str()).collect();
    (!texts.is_empty()).then(|| format!("A reviewer objects to your answer: {}", texts.join("; ")))
}
