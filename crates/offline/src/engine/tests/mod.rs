mod families;
mod file;
mod files;
