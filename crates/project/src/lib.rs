//! What a folder says to a model.
