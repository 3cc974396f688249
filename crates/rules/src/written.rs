//! Rules as text.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A rule that can be written.
pub trait Written: Sized {
    /// Its written form.
    type Line: Serialize + DeserializeOwned;

    /// Writes it.
    fn line(&self) -> Self::Line;

    /// Reads it.
    ///
    /// # Errors
    /// In words: what is no rule.
    fn of_line(line: Self::Line) -> anyhow::Result<Self>;

    /// The rule as JSON.
    ///
    /// # Errors
    /// Never for rules that were learned.
    fn text(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.line())
    }

    /// The rule that a JSON object is.
    ///
    /// # Errors
    /// In words: what is no rule.
    fn of_text(text: &str) -> anyhow::Result<Self> {
        Self::of_line(serde_json::from_str(text)?)
    }
}
