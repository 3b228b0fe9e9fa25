//! Places children of a column, the newest kept when room is short; `laws::stack` decides.
