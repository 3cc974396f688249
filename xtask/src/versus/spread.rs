//! The spread of several measurements of one thing.

/// The middle and the ends of some figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// The median of an even number of figures is the mean of the two in the middle.
    ///
    /// # Panics
    /// When there are no figures.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Spread {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        Spread {
            median: f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]),
            min: sorted[0],
            max: sorted[count - 1],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle_whatever_the_order() {
        let odd = Spread::of([3.0, 1.0, 2.0]);
        assert_eq!(odd, Spread { median: 2.0, min: 1.0, max: 3.0 });
        let even = Spread::of([4.0, 1.0, 2.0, 3.0]);
        assert_eq!(even, Spread { median: 2.5, min: 1.0, max: 4.0 });
        let one = Spread::of([7.0]);
        assert_eq!(one, Spread { median: 7.0, min: 7.0, max: 7.0 });
    }
}
