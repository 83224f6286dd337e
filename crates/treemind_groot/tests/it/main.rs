//! A monitor, written from a description of the protocol, looks at running agents.

mod client;
mod files;
mod logs;
mod monitors;
mod pages;
