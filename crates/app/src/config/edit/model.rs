//! [`ProviderEntry`]: a provider of models, written into the file; and which model answers.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};
use toolwright_models::Api;
use toolwright_pack::Secret;

use super::Readers;
use crate::{AppError, Config, ModelConnection};

/// A provider as it is written into the file. What is not given stays as it is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderEntry {
    /// The root of its API.
    pub base_url: Option<String>,
    /// What it speaks.
    pub api: Option<Api>,
    /// The key to it.
    pub api_key: Option<Secret>,
}

impl ProviderEntry {
    /// Adds it under this name, or changes the one of that name.
    pub fn add(&self, document: &mut DocumentMut, name: &str) {
        let Some(providers) = super::table(document, "providers") else { return };
        let provider = providers.entry(name).or_insert_with(|| Item::Table(Table::new()));
        let Some(provider) = provider.as_table_like_mut() else { return };
        let texts = [
            ("base_url", self.base_url.clone()),
            ("api", self.api.map(|it| it.name().to_owned())),
            ("api_key", self.api_key.as_ref().map(|it| it.reveal().to_owned())),
        ];
        for (key, text) in texts {
            if let Some(text) = text {
                put(provider, key, text.into());
            }
        }
    }

    /// Removes the one of this name; whether there was one.
    pub fn remove(document: &mut DocumentMut, name: &str) -> bool {
        let providers = document.get_mut("providers").and_then(Item::as_table_like_mut);
        providers.is_some_and(|it| it.remove(name).is_some())
    }

    /// Removes the one of this name, and its models from those that answer; whether there was one.
    pub fn forget(document: &mut DocumentMut, name: &str) -> bool {
        let was_there = Self::remove(document, name);
        let is_its = |model: &String| model.split_once(':').is_some_and(|(it, _)| it == name);
        let answering = answering(document);
        if was_there && answering.iter().any(is_its) {
            let others: Vec<_> = answering.into_iter().filter(|it| !is_its(it)).collect();
            set_model(document, &others);
        }
        was_there
    }
}

impl ModelConnection {
    /// Writes it into the document, where it may be saved beside what the settings say now, of which the document is a
    /// part; its model answers from then on, where one is named.
    ///
    /// # Errors
    /// When what is kept would go to another address than it was given for, or it cannot be asked at all.
    pub fn save(&self, document: &mut DocumentMut, now: &Config) -> Result<(), AppError> {
        self.check(now)?;
        let entry = ProviderEntry {
            base_url: self.base_url.clone(),
            api: self.api,
            api_key: self.api_key.clone(),
        };
        entry.add(document, &self.provider);
        if self.model.is_some() {
            set_model(document, &[self.name()]);
        }
        Ok(())
    }

    /// Who may read the file once it is in there.
    pub fn readers(&self) -> Readers {
        match self.api_key {
            Some(_) => Readers::Owner,
            None => Readers::AsBefore,
        }
    }
}

/// The models that answer, as the document names them.
fn answering(document: &DocumentMut) -> Vec<String> {
    let model = document.get("model").and_then(Item::as_table_like);
    let Some(name) = model.and_then(|it| it.get("name")) else { return Vec::new() };
    let in_list = name.as_array().into_iter().flatten().filter_map(Value::as_str);
    let texts = name.as_str().into_iter().chain(in_list).flat_map(|it| it.split(','));
    texts.map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// Says which model answers, and which in its place where it gives no reply; the usual one where none is named.
pub fn set_model(document: &mut DocumentMut, names: &[String]) {
    let model = document.entry("model").or_insert_with(|| Item::Table(Table::new()));
    let Some(model) = model.as_table_like_mut() else { return };
    match names {
        [] => _ = model.remove("name"),
        [name] => put(model, "name", name.into()),
        names => put(model, "name", names.iter().map(String::as_str).collect::<Array>().into()),
    }
}

/// Sets a value; what a person wrote behind the old one stays.
fn put(table: &mut dyn TableLike, key: &str, mut new: Value) {
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *new.decor_mut() = old.decor().clone();
    }
    table.insert(key, Item::Value(new));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_is_added_beside_what_a_person_wrote_and_keeps_what_is_not_given() {
        let mut document: DocumentMut =
            "# mine\n[model]\nname = \"a\" # old\n\n[providers.work]\nheaders = { X = \"y\" }\n"
                .parse()
                .unwrap();
        let entry = ProviderEntry {
            base_url: Some("https://models.example.com/v1".to_owned()),
            api: Some(Api::Chat),
            api_key: Some(Secret::new("sk-1")),
        };
        entry.add(&mut document, "work");
        let other = ProviderEntry { api_key: Some(Secret::new("sk-2")), ..Default::default() };
        other.add(&mut document, "work");
        other.add(&mut document, "openai");
        set_model(&mut document, &["work:large".to_owned()]);
        let text = document.to_string();
        assert_eq!(
            text,
            "# mine\n[model]\nname = \"work:large\" # old\n\n[providers.work]\nheaders = { X = \"y\" }\n\
             base_url = \"https://models.example.com/v1\"\napi = \"chat\"\napi_key = \"sk-2\"\n\n\
             [providers.openai]\napi_key = \"sk-2\"\n"
        );
        assert!(ProviderEntry::remove(&mut document, "openai"));
        set_model(&mut document, &["a:b".to_owned(), "offline".to_owned()]);
        assert!(document.to_string().contains("name = [\"a:b\", \"offline\"]"));
    }

    #[test]
    fn who_is_forgotten_answers_no_more_and_others_do() {
        for (said, left) in [
            ("name = \"work:a\"\n", ""),
            ("name = [\"work:a\", \"b:c\", \"work\"]\n", "name = [\"b:c\", \"work\"]\n"),
            ("name = \"b:c, work:a\"\n", "name = \"b:c\"\n"),
            ("name = \"workshop:a\"\n", "name = \"workshop:a\"\n"),
        ] {
            let text = format!("[model]\n{said}\n[providers.work]\nbase_url = \"http://a\"\n");
            let mut document: DocumentMut = text.parse().unwrap();
            assert!(ProviderEntry::forget(&mut document, "work"));
            assert_eq!(document.to_string().trim_end(), format!("[model]\n{left}").trim_end());
            let before = document.to_string();
            assert!(!ProviderEntry::forget(&mut document, "work"));
            assert_eq!(document.to_string(), before);
        }
    }
}
