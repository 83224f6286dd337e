//! The end of a tick: what agents have asked for and sent is carried out, and places of semaphores are given.

pub(super) mod letters;
pub(super) mod mail;
pub(super) mod requests;
pub(super) mod routes;
pub(super) mod semaphores;
