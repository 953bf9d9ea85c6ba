mod approval;
mod calls;
mod content;
mod faults;
mod http;
mod support;
