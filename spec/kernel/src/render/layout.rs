//! How terms and goals are laid out: once for text and for MathML (MathML Core).

/// A piece of a formula.
pub(crate) enum Layout {
    Name(String),
    Number(String),
    /// An operator or a relation, with its blanks.
    Sign(&'static str),
    Words(String),
    Row(Vec<Layout>),
    /// Something between brackets.
    Fence(&'static str, Box<Layout>, &'static str),
    Over(Box<Layout>, Box<Layout>),
    /// A power.
    Raised(Box<Layout>, Box<Layout>),
    /// An index.
    Low(Box<Layout>, Box<Layout>),
    /// A range below an operator.
    Under(&'static str, Box<Layout>),
    Root(Box<Layout>),
}

pub(super) fn fence(open: &'static str, inside: Layout, close: &'static str) -> Layout {
    Layout::Fence(open, inside.into(), close)
}

/// Parts with a sign between them.
pub(super) fn joined(parts: impl IntoIterator<Item = Layout>, sign: &'static str) -> Layout {
    let mut row = Vec::new();
    for part in parts {
        if !row.is_empty() {
            row.push(Layout::Sign(sign));
        }
        row.push(part);
    }
    Layout::Row(row)
}

fn raised(exponent: &str) -> String {
    let digit = |c: char| match c.to_digit(10) {
        Some(d) => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(d as usize).unwrap_or('⁰'),
        None => '⁻',
    };
    exponent.chars().map(digit).collect()
}

impl Layout {
    /// As text, which [`parse`](super::parse) reads back.
    pub fn text(&self) -> String {
        match self {
            Self::Name(x) | Self::Number(x) | Self::Words(x) => x.clone(),
            Self::Sign(x) => (*x).to_owned(),
            Self::Row(parts) => parts.iter().map(Self::text).collect(),
            Self::Fence(open, inside, close) => format!("{open}{}{close}", inside.text()),
            Self::Over(a, b) => format!("{}/{}", a.text(), b.text()),
            Self::Raised(a, exponent) => match &**exponent {
                Self::Number(n) => a.text() + &raised(n),
                other => format!("{}^{}", a.text(), other.text()),
            },
            Self::Low(a, b) => format!("{}_{}", a.text(), b.text()),
            Self::Under(sign, range) => format!("{sign}_{{{}}}", range.text()),
            Self::Root(a) => format!("√({})", a.text()),
        }
    }

    /// As a MathML element.
    pub fn mathml(&self) -> String {
        let element = |tag: &str, inside: &str| format!("<{tag}>{inside}</{tag}>");
        let plain =
            |tag: &str, text: &str| element(tag, &text.replace('&', "&amp;").replace('<', "&lt;"));
        let pair = |tag: &str, a: &Self, b: &Self| element(tag, &(a.mathml() + &b.mathml()));
        match self {
            Self::Name(x) => plain("mi", x),
            Self::Number(x) => plain("mn", x),
            Self::Sign(x) => plain("mo", x.trim()),
            Self::Words(x) => plain("mtext", x),
            Self::Row(parts) => {
                element("mrow", &parts.iter().map(Self::mathml).collect::<String>())
            }
            Self::Fence(open, inside, close) => {
                let inside = plain("mo", open) + &inside.mathml() + &plain("mo", close);
                element("mrow", &inside)
            }
            Self::Over(a, b) => pair("mfrac", a.bare(), b.bare()),
            Self::Raised(a, n) => pair("msup", a, n),
            Self::Low(a, b) => pair("msub", a, b),
            Self::Under(sign, range) => pair("munder", &Self::Sign(sign), range),
            Self::Root(a) => element("msqrt", &a.mathml()),
        }
    }

    /// Without brackets that a fraction makes needless.
    fn bare(&self) -> &Self {
        match self {
            Self::Fence("(", inside, _) => inside,
            other => other,
        }
    }
}
