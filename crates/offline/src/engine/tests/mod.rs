pub(crate) mod families;
mod file;
mod files;
mod passes;
