//! [`is_secret`]: whether a field asks for something that nobody should type into a form.

use super::field::{FieldKind, QuestionField, TextFormat};
use crate::is_hidden;

/// Found anywhere in a name, they mean what they say.
const ANYWHERE: [&str; 9] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "apikey",
    "secretkey",
    "privatekey",
    "accesskey",
    "accesstoken",
];
/// Words that are secrets by themselves.
const WORDS: [&str; 13] = [
    "pwd",
    "secret",
    "secrets",
    "credential",
    "credentials",
    "cvv",
    "cvv2",
    "cvc",
    "cvc2",
    "otp",
    "totp",
    "bearer",
    "mnemonic",
];
/// Two words that are one together.
const PAIRS: [(&str, &str); 14] = [
    ("api", "key"),
    ("access", "key"),
    ("private", "key"),
    ("ssh", "key"),
    ("encryption", "key"),
    ("signing", "key"),
    ("license", "key"),
    ("card", "number"),
    ("security", "code"),
    ("verification", "code"),
    ("recovery", "code"),
    ("recovery", "phrase"),
    ("seed", "phrase"),
    ("pin", "code"),
];
/// Behind `token` they say that something about tokens is meant, and none of them.
const ABOUT_TOKENS: [&str; 7] = ["count", "limit", "budget", "symbol", "type", "name", "usage"];

/// Whether a field asks for something that nobody should type into a form: by its format, its name or its
/// title. It cannot be known of one that says something else, so faces warn of it, too.
pub(super) fn is_secret(field: &QuestionField) -> bool {
    match &field.kind {
        FieldKind::Text { format: Some(TextFormat::Password), .. } => true,
        FieldKind::Text { .. } | FieldKind::Number { .. } | FieldKind::Integer { .. } => {
            names_secret(&field.name) || field.title.as_deref().is_some_and(names_secret)
        }
        FieldKind::Boolean { .. } | FieldKind::Choice { .. } | FieldKind::MultipleChoice { .. } => {
            false
        }
    }
}

fn names_secret(name: &str) -> bool {
    let words = words(name);
    let joined = words.concat();
    if ANYWHERE.iter().any(|it| joined.contains(it)) {
        return true;
    }
    let last = words.len().saturating_sub(1);
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).map_or("", String::as_str);
        match word.as_str() {
            "token" => !ABOUT_TOKENS.contains(&next),
            "pin" if at == last => true,
            word => WORDS.contains(&word) || PAIRS.contains(&(word, next)),
        }
    })
}

/// The words of a name in lower case: `apiKey`, `api_key` and `API key` have the same.
fn words(name: &str) -> Vec<String> {
    let (mut words, mut word, mut was_lower) = (Vec::new(), String::new(), false);
    for character in name.chars().filter(|it| !is_hidden(*it)) {
        let begins = character.is_uppercase() && was_lower;
        if (begins || !character.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        was_lower = character.is_lowercase();
    }
    words.extend(Some(word).filter(|it| !it.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_a_secret_is_known_by_its_name() {
        for name in [
            "password",
            "Password",
            "userPassword",
            "user_passwd",
            "your pass-word",
            "pass\u{200b}word",
            "API key",
            "apiKey",
            "API_KEY",
            "openai_api_key",
            "token",
            "access_token",
            "githubToken",
            "pin",
            "card PIN",
            "pin code",
            "client_secret",
            "CVV",
            "card number",
            "Security code",
            "credentials",
            "seed phrase",
            "PASSPHRASE",
        ] {
            assert!(is_secret(&QuestionField::text(name)), "{name}");
            assert!(is_secret(&QuestionField::integer("x").title(name)), "{name}");
        }
    }

    #[test]
    fn what_only_sounds_alike_is_none() {
        for name in [
            "name",
            "secretary",
            "token_count",
            "tokenLimit",
            "max_tokens",
            "key",
            "keyboard",
            "pin_board",
            "passenger",
            "country code",
            "compass",
            "monkey",
            "number",
            "tokenizer",
            "",
        ] {
            assert!(!is_secret(&QuestionField::text(name)), "{name}");
        }
        assert!(!is_secret(&QuestionField::boolean("show_password")));
        assert!(!is_secret(&QuestionField::choice("token", ["a"])));
    }
}
