//! Tests of what is learned.

mod hands;

mod line_rules;

mod rules_command;

mod rules_of_go;

mod zone_rules;
