//! Tests of learning by explanation: by theories of the literature, and by those that are not as they should be.

mod limits;

mod literature;
