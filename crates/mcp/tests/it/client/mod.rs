mod approval;
mod calls;
mod content;
mod faults;
mod http;
mod login;
mod support;
