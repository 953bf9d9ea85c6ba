#![allow(unused)]

use toolwright_macros::tool;

use std::{future, rc::Rc};

/// Stays on its thread.
#[tool]
async fn stays() {
    let here = Rc::new(());
    future::ready(()).await;
    drop(here);
}

fn main() {}
