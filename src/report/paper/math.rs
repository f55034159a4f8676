//! Formulas as LaTeX, from the MathML by which [`formula`](super::super::formula) understands them: one reader of
//! formulas, two ways to write them.

use super::super::formula::{element, ends};
use super::symbols::{letter, math, raised};
use super::words::{accent, words};

/// Functions that LaTeX has names for.
const FUNCTIONS: [&str; 14] = [
    "log", "ln", "exp", "cos", "sin", "cosh", "sinh", "coth", "tanh", "max", "min", "sup", "inf",
    "det",
];

/// The `math` elements of a formula, between which lines may break on a page, as one formula of LaTeX.
pub(super) fn latex(elements: &str) -> String {
    let parts = elements.split("<wbr>").map(|part| {
        let inside = part
            .strip_prefix("<math>")
            .and_then(|p| p.strip_suffix("</math>"));
        row(inside.unwrap_or(part), false)
    });
    format!("${}$", parts.collect::<String>().trim_end())
}

/// Elements side by side; `small` within scripts and fractions, where further fractions could not be read.
fn row(mut left: &str, small: bool) -> String {
    let mut out = String::new();
    while let Some((tag, inside, rest)) = element(left) {
        // Behind a stroke a factor would be one of the divisor.
        let small = small && (tag != "mfrac" || ends(rest));
        push(&mut out, &one(tag, inside, small));
        left = rest;
    }
    out
}

/// A command of letters ends where no letter follows.
fn push(out: &mut String, next: &str) {
    let letters = out.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if letters.ends_with('\\')
        && letters.len() < out.len()
        && next.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        out.push(' ');
    }
    *out += next;
}

fn one(tag: &str, inside: &str, small: bool) -> String {
    match tag.split(' ').next().unwrap_or(tag) {
        "mi" => name(&plain(inside)),
        "mn" => number(&plain(inside)),
        "mo" => operator(&plain(inside), tag.contains("prefix")),
        // What an author reads as words, and its spaces.
        "mtext" => format!("\\mbox{{{}}}", words(&plain(inside))),
        "mspace" | "mspace/" => "\\,".to_owned(),
        "mfrac" => {
            let [above, below] = arguments(inside, [true; 2]);
            match small && single(&above) && single(&below) {
                true => format!("{above}/{below}"),
                false => format!("\\frac{{{above}}}{{{below}}}"),
            }
        }
        "msqrt" => format!("\\sqrt{{{}}}", row(inside, small)),
        "msub" => {
            let [base, below] = arguments(inside, [false, true]);
            format!("{}_{{{below}}}", nucleus(base))
        }
        "msup" => {
            let [base, above] = arguments(inside, [false, true]);
            format!("{}^{{{}}}", nucleus(base), primed(&above))
        }
        "msubsup" => {
            let [base, below, above] = arguments(inside, [false, true, true]);
            format!("{}_{{{below}}}^{{{}}}", nucleus(base), primed(&above))
        }
        _ => row(inside, small),
    }
}

/// The elements that an element consists of.
fn arguments<const N: usize>(mut left: &str, small: [bool; N]) -> [String; N] {
    small.map(|small| match element(left) {
        Some((tag, inside, rest)) => {
            left = rest;
            one(tag, inside, small)
        }
        None => String::new(),
    })
}

/// Whether this is one number or letter.
fn single(formula: &str) -> bool {
    let name = formula.strip_prefix('\\');
    let letters = name.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphabetic()));
    let digits = !formula.is_empty() && formula.chars().all(|c| c.is_ascii_digit());
    letters || formula.len() == 1 || digits
}

/// A number; with an exponent it is a power of ten, or a multiple of one.
fn number(text: &str) -> String {
    let Some((factor, power)) = text.split_once('e') else {
        return text.replace(',', "{,}");
    };
    let ten = format!("10^{{{}}}", power.trim_start_matches('+'));
    match factor {
        "1" => ten,
        _ => format!("{factor}\\cdot {ten}"),
    }
}

/// What has scripts: in braces where it has some already, of which TeX takes no second.
fn nucleus(base: String) -> String {
    match base.contains(['_', '^', '\'']) {
        true => format!("{{{base}}}"),
        false => base,
    }
}

/// A prime in a power stands where it is put.
fn primed(power: &str) -> String {
    let power = power.replace("{}'", "\\prime ");
    power.replace('\'', "\\prime ").trim_end().to_owned()
}

/// The text of an element without HTML's names.
fn plain(html: &str) -> String {
    html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
}

/// One letter with its accents is a variable; several are a function or a name, which stand upright.
fn name(text: &str) -> String {
    let mut letters: Vec<String> = Vec::new();
    for c in text.chars() {
        let before = letters.pop();
        match (accent(c), raised(c), before) {
            (Some(accent), _, Some(base)) => letters.push(format!("\\{accent}{{{base}}}")),
            (_, Some(power), base) => {
                letters.push(format!("{}^{{{power}}}", nucleus(base.unwrap_or_default())));
            }
            (.., before) => letters.extend(before.into_iter().chain([symbol(c)])),
        }
    }
    match letters.as_slice() {
        [letter] => letter.clone(),
        _ if FUNCTIONS.contains(&text) => format!("\\{text}"),
        _ => {
            let mut name = String::new();
            letters.iter().for_each(|letter| push(&mut name, letter));
            format!("\\mathrm{{{name}}}")
        }
    }
}

fn operator(text: &str, prefix: bool) -> String {
    let signs: String = match text {
        // The application of a function.
        "\u{2061}" => return String::new(),
        ":=" => "\\mathrel{:=}".to_owned(),
        ":" => "\\colon".to_owned(),
        "∣" => "\\mid".to_owned(),
        "∥" => "\\|".to_owned(),
        "′" => return "{}'".to_owned(),
        _ => {
            let mut out = String::new();
            text.chars().for_each(|c| push(&mut out, &symbol(c)));
            out
        }
    };
    match prefix {
        true => format!("{{{signs}}}"),
        false => signs,
    }
}

/// A character of a formula.
fn symbol(c: char) -> String {
    match c {
        '<' | '>' | '|' | '*' => c.to_string(),
        '\'' | '’' => "'".to_owned(),
        '…' => "\\dots".to_owned(),
        _ => math(c).map_or_else(|| letter(c), str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tex::tex;

    #[test]
    fn a_formula_is_what_the_page_shows() {
        for (text, expected) in [
            ("σ_U²", "$\\sigma_{U}^{2}$"),
            ("x^{k+1}", "$x^{k+1}$"),
            ("x_{j_t}", "$x_{j_{t}}$"),
            ("w̄", "$\\bar{w}$"),
            ("σ̂ = 1", "$\\hat{\\sigma}=1$"),
            ("a_w̄", "$a_{\\bar{w}}$"),
            ("P(Eᶜ) = 0", "$P(E^{c})=0$"),
            ("2.5·x", "$2.5\\cdot x$"),
            ("n = 60,000", "$n=60{,}000$"),
            ("δ = 1e-16", "$\\delta=10^{-16}$"),
            ("n = 3e7", "$n=3\\cdot 10^{7}$"),
            ("K_2R_x", "$K_{2}R_{x}$"),
            ("M_{w at W}", "$M_{w\\mbox{ at }W}$"),
            ("log^a N", "$\\log^{a}\\,N$"),
            ("μ^(k)", "$\\mu^{(k)}$"),
            ("x_k′²", "$x_{k^{\\prime}}^{2}$"),
            ("x′ ≤ −1", "$x^{\\prime}\\le{-}1$"),
            ("rho <= 1/(2 α²)", "$\\rho\\le\\frac{1}{2\\,\\alpha^{2}}$"),
            ("x^{1/4}·(1/n)", "$x^{1/4}\\cdot(\\frac{1}{n})$"),
            ("x^{a/2}", "$x^{a/2}$"),
            ("x^{y_1/2}", "$x^{\\frac{y_{1}}{2}}$"),
            ("|x|", "$|x|$"),
            ("x^{(1/n)y}", "$x^{(1/n)y}$"),
            ("(16/7)a/(b c)", "$\\frac{(16/7)a}{b\\,c}$"),
            ("√(a + b)/c", "$\\frac{\\sqrt{a+b}}{c}$"),
            ("‖x_t‖² < E[f(x)]", "${\\|x_{t}\\|}^{2}<E[f(x)]$"),
            ("max(α, β)", "$\\max(\\alpha,\\beta)$"),
            ("L* ≥ w^*", "$L^{*}\\ge w^{*}$"),
        ] {
            assert_eq!(tex(text), expected, "{text}");
        }
    }

    #[test]
    fn words_around_formulas_stay_words() {
        assert_eq!(
            tex("of x_t, the “first” & last"),
            "of $x_{t}$, the ``first'' \\& last"
        );
    }
}
