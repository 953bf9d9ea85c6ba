//! [`WebPack`]: pages of the web, fetched and searched for.
//!
//! Three things are kept apart. `fetch` goes to an address, if it is one that may be gone to
//! ([`AddressGuard`](toolwright_http::AddressGuard)), and brings bytes. `read` makes text of them, in a process of
//! its own: whoever wrote a page or a PDF may want the reader to fall over. `search` asks a search engine of the
//! user's choice. What a page says is material, and never an instruction.

mod fetch;
mod pack;
mod read;
mod search;
mod vocabulary;

pub use self::{
    fetch::{FetchSettings, fetch_url},
    pack::WebPack,
    read::{READ, ReaderProgram, read},
    search::{Engine, EngineKind, search_web},
};
