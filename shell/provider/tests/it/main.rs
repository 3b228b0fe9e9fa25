//! The HTTP provider against real servers: the mock model server and small ones made of fixed bytes.

mod connection;
mod failures;
mod wires;
mod world;
