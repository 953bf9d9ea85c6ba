//! Is the answer supported? [`supported`] says how much of it is, and what is not.

use std::{collections::HashSet, sync::Arc};

use toolwright_core::{
    Conversation,
    review::{Finding, FindingKind, MOST_FINDINGS as MOST, Review, ReviewCheck, ReviewTools},
};

use super::{
    Vocabulary,
    arithmetic::{Operand, Operands},
    claimed::{Claim, is_quotation, is_telling, made_up},
    counted::Counts,
    figure::Figure,
    finding,
    lexicon::spelling,
    names,
    prose::{Line, Prose},
    quoted::quoted,
    related::{Topics, could_tell},
    repeated::RepeatedLines,
    scan::{Mention, What, scan},
    setting::Setting,
    sources::Sources,
    today::Today,
    told_of::misplaced,
    words,
};

/// Figures beyond this many are not reckoned: it takes time, and no good answer works out so many.
const RECKONED: usize = 256;

/// How much of the answer a source has, and everything that none has, in the order it is said.
pub(super) fn supported(
    answer: &str,
    conversation: &Conversation,
    tools: ReviewTools<'_>,
    repeated: &RepeatedLines<'_>,
    vocabulary: &Arc<Vocabulary>,
) -> Review {
    let shortened = conversation.compacted();
    let answered = conversation.results().any(|it| it.outcome.status.is_ok())
        || shortened.is_some_and(|it| !it.answered.is_empty());
    let prose = Prose::of(answer);
    if !answered && !could_tell(tools, answer, &prose, conversation) {
        return Review::default();
    }
    let sources = Sources::of(conversation, tools.catalog(), vocabulary);
    if !sources.is_whole() {
        return Review::default();
    }
    let lines = prose.lines.iter().map(|line| line.said.as_str());
    // A digest keeps numbers and ids, not every word; and without results everything that has a
    // name would be unknown.
    let named = answered && shortened.is_none() && words::is_english(lines);
    let counts = Counts { sources: &sources, topics: Topics::of(tools.catalog()) };
    let mut checker = Checker::new(counts, repeated, Today::of(conversation), prose.items);
    for line in &prose.lines {
        checker.read(line);
        if named {
            checker.read_names(line);
        }
        if checker.findings.len() >= MOST {
            break;
        }
    }
    // A digest keeps no lines.
    if shortened.is_none() {
        checker.read_claims(&prose.claims, conversation);
        for (name, block) in &prose.named {
            if is_quotation(name, block, conversation) {
                checker.read_claims(block, conversation);
            }
        }
        let wrong = misplaced(&prose, repeated, conversation, vocabulary);
        wrong.into_iter().for_each(|it| checker.found(it));
    }
    checker.finish(conversation)
}

struct Checker<'s> {
    sources: &'s Sources,
    counts: Counts<'s>,
    repeated: &'s RepeatedLines<'s>,
    today: Today,
    items: usize,
    reckoned: usize,
    /// The figures that were accepted in this line: an answer may go on from what it said.
    accepted: Operands,
    introduced: HashSet<String>,
    findings: Vec<Finding>,
    /// The ids among them, as they are looked for, with their findings.
    ids: Vec<(String, Finding)>,
    /// What was looked for and found, as it is written.
    checked: HashSet<String>,
}

impl<'s> Checker<'s> {
    fn new(
        counts: Counts<'s>,
        repeated: &'s RepeatedLines<'s>,
        today: Today,
        items: usize,
    ) -> Self {
        Self {
            sources: counts.sources,
            counts,
            repeated,
            today,
            items,
            reckoned: 0,
            accepted: Operands::default(),
            introduced: HashSet::new(),
            findings: Vec::new(),
            ids: Vec::new(),
            checked: HashSet::new(),
        }
    }

    /// Looks at the figures, days, times and ids of a line.
    fn read(&mut self, line: &Line<'_>) {
        self.accepted = Operands::default();
        scan(&line.text, &mut |mention| {
            if self.findings.len() < MOST && !self.accepts(&mention, line) {
                let finding = finding(ReviewCheck::Supported, kind(&mention.what), mention.text);
                if mention.what == What::Id {
                    self.ids.push((spelling(mention.text), finding.clone()));
                }
                self.found(finding);
            }
        });
    }

    fn read_names(&mut self, line: &Line<'_>) {
        let names = names::names(&line.said, &self.sources.vocabulary);
        let all: Vec<&str> = names.iter().map(|name| name.text).collect();
        let unknown = names::unknown(names, self.sources, &mut self.introduced);
        for name in all {
            if unknown.iter().any(|it| it.text == name) && !self.repeated.has(line.written) {
                self.found(finding(ReviewCheck::Supported, FindingKind::Name, name));
            } else {
                self.checked.insert(name.to_owned());
            }
        }
    }

    /// Looks at lines that are said to be what a command printed or what a file says.
    fn read_claims(&mut self, claims: &[Claim], conversation: &Conversation) {
        let missing = made_up(claims, conversation);
        for line in claims.iter().map(|it| &it.line).filter(|it| is_telling(it)) {
            if !missing.contains(&line.as_str()) {
                self.checked.insert(line.clone());
            } else if self.findings.len() < MOST {
                self.found(finding(ReviewCheck::Supported, FindingKind::Quote, line));
            }
        }
    }

    fn found(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    fn accepts(&mut self, mention: &Mention<'_>, line: &Line<'_>) -> bool {
        let is_repeated = self.repeated.has(line.written);
        let line = &line.text;
        let setting = Setting::of(line, mention, &self.sources.vocabulary);
        let counted = self.counts.of(mention, line);
        let idle = self.sources.says_nothing(mention, &setting, counted);
        let accepted = idle
            || is_repeated
            || self.names_today(mention, line)
            || self.is_supported(mention, &setting);
        if !accepted {
            return false;
        }
        if !idle {
            self.checked.insert(mention.text.to_owned());
        }
        if let What::Figure(figure) = &mention.what
            && let Some(reading) = figure.readings.first().filter(|_| !figure.is_small_count())
        {
            self.accepted.add(Operand::new(reading.value, figure.unit, "", ""));
        }
        true
    }

    /// Whether the answer says what day it is.
    fn names_today(&self, mention: &Mention<'_>, line: &str) -> bool {
        match &mention.what {
            What::Moment(moment) => self.today.is(moment, line, mention.start),
            _ => false,
        }
    }

    fn is_supported(&mut self, mention: &Mention<'_>, setting: &Setting) -> bool {
        let supported = self.sources.supports(mention, setting);
        let (What::Figure(figure) | What::Spelled(figure)) = &mention.what else {
            return supported;
        };
        // How many it lists, an answer knows by itself.
        supported || mention.text.parse() == Ok(self.items) || self.works_out(figure, setting)
    }

    fn works_out(&mut self, figure: &Figure, setting: &Setting) -> bool {
        self.reckoned += 1;
        self.reckoned > RECKONED
            || self.sources.works_out(figure, setting)
            || (!self.sources.contradicts(figure, setting)
                && self.accepted.yields(&|worked| worked.is(figure, setting)))
    }

    /// The findings, but for the ids that a source has inside something longer.
    fn finish(mut self, conversation: &Conversation) -> Review {
        let wanted = self.ids.iter().map(|(id, _)| id.clone()).collect();
        let quoted = quoted(wanted, conversation, &self.sources.echoes);
        let known = |it: &Finding| self.ids.iter().any(|(id, of)| of == it && quoted.contains(id));
        let before = self.findings.len();
        self.findings.retain(|it| !known(it));
        let checked = self.checked.len() + before - self.findings.len();
        Review::new(self.findings, checked)
    }
}

fn kind(what: &What) -> FindingKind {
    match what {
        What::Figure(_) | What::Described(_) | What::Spelled(_) => FindingKind::Figure,
        What::Moment(_) => FindingKind::Date,
        What::Id => FindingKind::Id,
    }
}
