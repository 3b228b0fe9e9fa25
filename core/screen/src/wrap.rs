//! Breaks spans into rows at words, else at clusters.
