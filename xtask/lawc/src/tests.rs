//! What is accepted, and what must be refused.
