//! How an engine gets its numbers: in its command line, or in a file that a template becomes.

use super::parameters::Parameter;

/// A text with every `{name}` of a parameter replaced by its value; other braces stay.
pub fn filled(text: &str, parameters: &[Parameter], values: &[f64]) -> String {
    let each = parameters.iter().zip(values);
    each.fold(text.to_owned(), |text, (parameter, &value)| {
        text.replace(&placeholder(&parameter.name), &parameter.text(value))
    })
}

/// What stands for a name.
pub fn placeholder(name: &str) -> String {
    format!("{{{name}}}")
}

/// The first parameter that none of these texts asks for.
pub fn unused<'a>(texts: &[&str], parameters: &'a [Parameter]) -> Option<&'a Parameter> {
    let is_used = |it: &Parameter| texts.iter().any(|text| text.contains(&placeholder(&it.name)));
    parameters.iter().find(|it| !is_used(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_become_values_and_what_nobody_asks_for_is_found() {
        let parameters =
            Parameter::read("a 1 0 9 1\nab 0.50 0 1 0.1\nc 1 0 2 1").expect("parameters");
        let text = "--a {a} --b={ab} {other} {a}";
        assert_eq!(filled(text, &parameters, &[2.4, 0.256, 1.0]), "--a 2 --b=0.26 {other} 2");
        assert_eq!(unused(&[text], &parameters).map(|it| it.name.as_str()), Some("c"));
        assert_eq!(unused(&[text, "{c}"], &parameters), None);
    }
}
