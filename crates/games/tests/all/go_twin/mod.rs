//! Go and its slow twin, side by side through random games.

mod twin;

mod rules;

mod playouts;
