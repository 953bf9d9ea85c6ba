//! Is the answer supported? [`unsupported`] says what is not.

use std::collections::HashSet;

use super::{
    Check, Finding, FindingKind, MOST,
    arithmetic::{Operand, Operands},
    figure::Figure,
    lexicon::spelling,
    names,
    prose::{Line, Prose},
    quoted::quoted,
    scan::{Mention, What, scan},
    setting::Setting,
    sources::Sources,
    words,
};
use crate::Conversation;

/// Figures beyond this many are not reckoned: it takes time, and no good answer works out so many.
const RECKONED: usize = 256;

/// Everything in the answer that no source has, in the order it is said.
pub(super) fn unsupported(answer: &str, conversation: &Conversation) -> Vec<Finding> {
    let shortened = conversation.shortened();
    let answered = conversation.results().any(|it| it.outcome.status.is_ok());
    if !answered && shortened.is_none_or(|it| it.answered.is_empty()) {
        return Vec::new();
    }
    let sources = Sources::of(conversation);
    if !sources.is_whole() {
        return Vec::new();
    }
    let prose = Prose::of(answer);
    let lines = prose.lines.iter().map(|line| line.said.as_str());
    // A digest keeps numbers and ids, not every word.
    let named = shortened.is_none() && !words::capitalises_nouns(lines);
    let mut reviewer = Reviewer::new(&sources, prose.items);
    for line in &prose.lines {
        reviewer.read(line);
        if named {
            reviewer.read_names(line);
        }
        if reviewer.findings.len() >= MOST {
            break;
        }
    }
    reviewer.finish(conversation)
}

struct Reviewer<'s> {
    sources: &'s Sources,
    items: usize,
    reckoned: usize,
    /// The figures that were accepted in this line: an answer may go on from what it said.
    accepted: Operands,
    introduced: HashSet<String>,
    findings: Vec<Finding>,
    /// The ids among them, as they are looked for, with their findings.
    ids: Vec<(String, Finding)>,
}

impl<'s> Reviewer<'s> {
    fn new(sources: &'s Sources, items: usize) -> Self {
        Self {
            sources,
            items,
            reckoned: 0,
            accepted: Operands::default(),
            introduced: HashSet::new(),
            findings: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// Looks at the figures, days, times and ids of a line.
    fn read(&mut self, line: &Line) {
        self.accepted = Operands::default();
        scan(&line.text, &mut |mention| {
            if self.findings.len() < MOST && !self.accepts(&mention, &line.text) {
                let finding = Finding::new(Check::Supported, kind(&mention.what), mention.text);
                if mention.what == What::Id {
                    self.ids.push((spelling(mention.text), finding.clone()));
                }
                self.found(finding);
            }
        });
    }

    fn read_names(&mut self, line: &Line) {
        let names = names::names(&line.said);
        for name in names::unknown(names, self.sources, &mut self.introduced) {
            self.found(Finding::new(Check::Supported, FindingKind::Name, name.text));
        }
    }

    fn found(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    fn accepts(&mut self, mention: &Mention<'_>, line: &str) -> bool {
        let setting = Setting::of(line, mention);
        let supported = self.sources.supports(mention, &setting);
        let What::Figure(figure) = &mention.what else { return supported };
        // How many it lists, an answer knows by itself.
        let accepted =
            supported || mention.text.parse() == Ok(self.items) || self.works_out(figure, &setting);
        let states = accepted && !figure.is_small_count();
        if let Some(reading) = figure.readings.first().filter(|_| states) {
            self.accepted.add(Operand::new(reading.value, figure.unit, "", ""));
        }
        accepted
    }

    fn works_out(&mut self, figure: &Figure, setting: &Setting) -> bool {
        self.reckoned += 1;
        self.reckoned > RECKONED
            || self.sources.works_out(figure, setting)
            || (!self.sources.contradicts(figure, setting)
                && self.accepted.yields(&|worked| worked.is(figure, setting)))
    }

    /// The findings, but for the ids that a source has inside something longer.
    fn finish(mut self, conversation: &Conversation) -> Vec<Finding> {
        let wanted = self.ids.iter().map(|(id, _)| id.clone()).collect();
        let quoted = quoted(wanted, conversation);
        let known = |it: &Finding| self.ids.iter().any(|(id, of)| of == it && quoted.contains(id));
        self.findings.retain(|it| !known(it));
        self.findings
    }
}

fn kind(what: &What) -> FindingKind {
    match what {
        What::Figure(_) | What::Described(_) => FindingKind::Figure,
        What::Moment(_) => FindingKind::Date,
        What::Id => FindingKind::Id,
    }
}
