//! Tools as methods: several tools on one state.
//!
//!     cargo run --example toolset

use std::sync::{Mutex, PoisonError};

use toolwright::{model::ModelResponse, prelude::*, run::Call, testing::Scripted};

/// A shopping list that a model can write on.
#[derive(Default)]
struct ShoppingList {
    items: Mutex<Vec<String>>,
}

#[toolset]
impl ShoppingList {
    /// Put an item on the list.
    #[tool]
    fn add_item(&self, item: String) -> String {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        items.push(item);
        format!("{} items on the list", items.len())
    }

    /// Read the list.
    #[tool(read_only)]
    fn read_list(&self) -> Vec<String> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let model = Scripted::new([
        ModelResponse::calls([
            Call::new("1", "add_item", r#"{"item":"bread"}"#),
            Call::new("2", "add_item", r#"{"item":"butter"}"#),
            // Behind two writers: it runs when both are done.
            Call::new("3", "read_list", "{}"),
        ]),
        ModelResponse::text("The list now has bread and butter."),
    ]);
    let agent = Agent::builder(model).toolset(ShoppingList::default()).build()?;
    let mut run = agent.run("Put bread and butter on my list");
    println!("{}", run.finish().await?.response);
    let list = run.conversation().map(|it| it.value::<Vec<String>>("read_list", ""));
    println!("{:?}", list.transpose()?.unwrap_or_default());
    Ok(())
}
