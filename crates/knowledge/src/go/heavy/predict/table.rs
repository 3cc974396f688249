//! The table of a predictor: the natural logarithm of how much likelier a move is for each feature.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::feature::{Feature, KINDS};

/// Codes of features other than shapes are below this.
const CODES: usize = 64;

/// The addition of each feature to a move's logit; nothing for those that are not named.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// By kind and code.
    plain: Vec<[f32; CODES]>,
    shapes: FxHashMap<Feature, f32>,
}

/// The learned table, as text.
pub(super) const TEXT: &str = include_str!("table.txt");

static LEARNED: LazyLock<Table> =
    LazyLock::new(|| Table::parse(TEXT).expect("the table is tested to be readable"));

impl Table {
    /// The learned table.
    pub(super) fn learned() -> &'static Table {
        &LEARNED
    }

    /// Reads lines `KIND CODE LOGIT`; `%` begins a remark. The error is the first line that cannot be
    /// read.
    fn parse(text: &str) -> Result<Table, String> {
        let plain = vec![[0.0; CODES]; KINDS.len()];
        let mut table = Table { plain, shapes: FxHashMap::default() };
        for line in text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty()) {
            table.read(line).ok_or(line)?;
        }
        Ok(table)
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let (feature, logit) = line.rsplit_once(' ')?;
        let logit: f32 = logit.parse().ok().filter(|logit: &f32| logit.is_finite())?;
        let feature = Feature::parse(feature)?;
        if feature.is_shape() {
            self.shapes.insert(feature, logit);
        } else {
            *self.plain[feature.kind() as usize].get_mut(feature.code() as usize)? = logit;
        }
        Some(())
    }

    /// The addition of a feature; nothing for a shape that the table does not name.
    #[inline(always)]
    pub(super) fn logit(&self, feature: Feature) -> Option<f32> {
        if feature.is_shape() {
            return self.shapes.get(&feature).copied();
        }
        self.plain[feature.kind() as usize].get(feature.code() as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read_and_a_wrong_line_is_named() {
        let learned = Table::parse(include_str!("table.txt")).expect("every line");
        assert!(learned.shapes.len() > 100);
        for wrong in [
            "capture",
            "capture 0",
            "capture 0 x",
            "shape8 ..X 1",
            "shape 3 1",
            "last 64 1",
            "tight 9 1",
            "last 2 inf",
        ] {
            let text = format!("% a remark\ncapture 0 1.5\n{wrong}\n");
            assert_eq!(Table::parse(&text).expect_err(wrong), wrong);
        }
    }
}
