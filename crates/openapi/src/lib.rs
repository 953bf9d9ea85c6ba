//! The operations of an OpenAPI document as tools.
