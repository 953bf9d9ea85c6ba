mod approval;
mod calls;
mod faults;
mod http;
mod support;
