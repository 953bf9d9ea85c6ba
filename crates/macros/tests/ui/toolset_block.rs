#![allow(unused)]

use toolwright_macros::toolset;

struct Empty;

#[toolset]
impl Empty {
    fn unmarked(&self) {}
}

#[toolset]
impl Clone for Empty {
    fn clone(&self) -> Self {
        Self
    }
}

struct Borrowed<'a>(&'a str);

#[toolset]
impl<'a> Borrowed<'a> {
    /// Reads it.
    #[tool]
    fn read(&self) -> String {
        self.0.into()
    }
}

struct Generic<T>(T);

#[toolset]
impl<T> Generic<T> {
    /// Replaces it.
    #[tool]
    fn replace(&self, value: Option<T>) {}
}

#[toolset(read_only)]
impl Empty {}

#[toolset]
fn function() {}

fn main() {}
