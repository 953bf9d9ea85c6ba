//! [`Rules`]: all rules there are, and what they say of a call together.

use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard},
};

use serde_json::Value;
use toolwright_core::{CallPreview, RuleTarget, RuleTargets, Timestamp};

use super::{ApprovalRequest, Rule, RuleSource, RuleVerdict, given::GivenRules};

/// All rules there are. What one denies no other allows.
#[derive(Default)]
pub struct Rules {
    own: RwLock<Vec<Rule>>,
    given: Option<GivenRules>,
}

/// What the rules say of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// It may not run: this rule says so.
    Denied(Rule),
    /// It may run.
    Allowed,
    /// It may run, and each of its subjects was named exactly.
    Named,
    /// They do not say.
    Open,
    /// Somebody is asked: a rule says so.
    Asked,
    /// This rule may deny it, and the tool cannot tell whether it does: only somebody who looks at
    /// the call may let it run.
    Unclear(Rule),
}

impl Rules {
    /// These rules.
    pub fn new(rules: Vec<Rule>) -> Self {
        Self { own: RwLock::new(rules), given: None }
    }

    /// These rules, and those that lie there whenever a call is checked.
    pub fn with_source(rules: Vec<Rule>, source: Arc<dyn RuleSource>) -> Self {
        Self { given: Some(GivenRules::new(source)), ..Self::new(rules) }
    }

    /// These rules in the place of those there are. What lies at the source is not changed.
    pub fn replace(&self, rules: Vec<Rule>) {
        *self.own.write().unwrap_or_else(PoisonError::into_inner) = rules;
    }

    /// Adds a rule.
    pub fn add(&self, rule: Rule) {
        self.own.write().unwrap_or_else(PoisonError::into_inner).push(rule);
    }

    /// Reads what lies at the source, if there is one. What was taken back there before this was called does not hold
    /// any more when it ends.
    pub(super) async fn refresh(&self) {
        if let Some(given) = &self.given {
            given.refresh().await;
        }
    }

    fn own(&self) -> RwLockReadGuard<'_, Vec<Rule>> {
        self.own.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether one of them may keep calls of a tool from running.
    pub(super) fn restrict(&self, tool: &str, now: Timestamp) -> bool {
        let (own, given) = (self.own(), self.given.as_ref().map(GivenRules::last_read));
        own.iter().chain(given.iter().flat_map(|it| it.iter())).any(|rule| {
            rule.verdict != RuleVerdict::Allow && rule.is_of(tool) && !rule.is_over(now)
        })
    }

    /// What they say of a call, now.
    pub(super) fn judge(&self, question: &ApprovalRequest<'_>, now: Timestamp) -> Judgement {
        let (own, given) = (self.own(), self.given.as_ref().map(GivenRules::last_read));
        let rules = own.iter().chain(given.iter().flat_map(|it| it.iter()));
        let (tool, place) = (question.tool.name.as_str(), question.preview.place.as_deref());
        let holding: Vec<&Rule> = rules.filter(|rule| rule.holds(tool, place, now)).collect();
        let of = |verdict| holding.iter().filter(move |rule| rule.verdict == verdict);
        let Some(subjects) = subjects(&question.call.arguments, question.preview) else {
            // What cannot be told apart is only judged by what is said of all.
            let all = of(RuleVerdict::Deny).find(|rule| rule.pattern.is_none());
            let may = of(RuleVerdict::Deny).next().map(|rule| Judgement::Unclear((*rule).clone()));
            return match all {
                Some(rule) => Judgement::Denied((*rule).clone()),
                None => may.unwrap_or_else(|| match of(RuleVerdict::Ask).next() {
                    Some(_) => Judgement::Asked,
                    None => Judgement::Open,
                }),
            };
        };
        let about = |rule: &&&Rule| {
            rule.pattern.is_none() || subjects.iter().any(|subject| rule.is_about(subject))
        };
        if let Some(rule) = of(RuleVerdict::Deny).find(about) {
            return Judgement::Denied((*rule).clone());
        }
        let vouched =
            |subject: &RuleTarget| of(RuleVerdict::Allow).any(|rule| rule.vouches_for(subject));
        let doubtful: Vec<&RuleTarget> =
            subjects.iter().filter(|it| it.certain.is_some() && !vouched(it)).collect();
        let may = |rule: &&&Rule| doubtful.iter().any(|subject| rule.may_be_about(subject));
        if let Some(rule) = of(RuleVerdict::Deny).find(may) {
            return Judgement::Unclear((*rule).clone());
        }
        if of(RuleVerdict::Ask).any(|rule| about(&rule) || may(&rule)) {
            return Judgement::Asked;
        }
        if question.preview.read_only {
            return Judgement::Allowed;
        }
        let every = |lets: &dyn Fn(&Rule, &RuleTarget) -> bool| match &*subjects {
            [] => of(RuleVerdict::Allow).any(|rule| rule.pattern.is_none()),
            subjects => subjects
                .iter()
                .all(|subject| of(RuleVerdict::Allow).any(|rule| lets(rule, subject))),
        };
        // Beside what a rule allows, what changes nothing needs none. Alone it does: then the call as
        // a whole has to be one that changes nothing.
        let all_read_only = subjects.iter().all(|subject| subject.read_only);
        let lets = |rule: &Rule, subject: &RuleTarget| rule.lets(subject);
        let is_let = |subject: &RuleTarget| {
            subject.read_only || of(RuleVerdict::Allow).any(|rule| lets(rule, subject))
        };
        if every(&Rule::names) {
            Judgement::Named
        } else if every(&lets) || (!all_read_only && subjects.iter().all(is_let)) {
            Judgement::Allowed
        } else {
            Judgement::Open
        }
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = self.given.as_ref().map(GivenRules::last_read);
        f.debug_struct("Rules").field("own", &*self.own()).field("given", &given).finish()
    }
}

/// What the rules are held against; nothing where the tool cannot tell.
pub(super) fn subjects<'a>(
    arguments: &Value,
    preview: &'a CallPreview,
) -> Option<Cow<'a, [RuleTarget]>> {
    match &preview.targets {
        RuleTargets::These(subjects) => Some(Cow::Borrowed(subjects)),
        RuleTargets::Unclear(_) => None,
        RuleTargets::Arguments => {
            let fields = arguments.as_object().into_iter().flatten();
            let subjects = fields.map(|(name, value)| match value {
                Value::String(text) => RuleTarget::new(format!("{name}={text}")),
                other => RuleTarget::new(format!("{name}={other}")),
            });
            Some(subjects.collect())
        }
    }
}
