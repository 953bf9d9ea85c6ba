mod approval;
mod calls;
mod faults;
mod http;
mod login;
mod support;
