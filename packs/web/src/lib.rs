//! Fetching pages, and searching the web.
