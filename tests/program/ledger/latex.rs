//! What can be said of a LaTeX document without TeX: groups and environments close, every command is one of LaTeX's or of a
//! package that is loaded, formulas stand in math mode and nothing else does.

/// Commands of LaTeX outside of formulas.
const TEXT: &str = "documentclass usepackage setlength emergencystretch sloppy title author date begin end maketitle noindent emph \
                    section subsection paragraph texttt textsubscript textsuperscript ensuremath textbackslash textasciicircum \
                    textasciitilde dots S L";
/// Commands of LaTeX that only formulas take.
const MATH: &str = "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau varphi chi psi omega \
                    Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega phi varrho cdot times pm mp le ge ne approx equiv ll gg sim \
                    propto preceq succeq langle rangle lceil rceil lfloor rfloor surd nabla partial infty int sum prod frac ell in \
                    notin subseteq supseteq subset setminus cap cup emptyset forall exists to leftarrow mapsto Rightarrow \
                    Leftrightarrow oplus otimes perp star cdots circ mathbf mathcal mathrm bar hat tilde log ln exp cos \
                    sin cosh sinh coth tanh max min sup inf det sqrt prime mid colon mathrel mbox";
/// The same of a package.
const PACKAGES: [(&str, &str); 1] = [("amssymb", "lesssim mathbb")];

/// Where text is read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Group {
    Brace { math: bool },
    Dollar,
}

/// A document that is read from left to right.
struct Reader<'a> {
    rest: &'a str,
    packages: Vec<&'a str>,
    groups: Vec<Group>,
    environments: Vec<&'a str>,
    /// Whether the next group is a formula, or words within one, if it is said.
    opens: Option<bool>,
}

/// The first thing that pdflatex would not take, with what stands behind it.
pub(super) fn fault(document: &str) -> Option<String> {
    let mut reader = Reader {
        rest: document,
        packages: Vec::new(),
        groups: Vec::new(),
        environments: Vec::new(),
        opens: None,
    };
    loop {
        let here: String = reader.rest.chars().take(60).collect();
        match reader.step() {
            Ok(true) => {}
            Ok(false) => return None,
            Err(why) => return Some(format!("{why}: {here}")),
        }
    }
}

impl<'a> Reader<'a> {
    fn math(&self) -> bool {
        match self.groups.last() {
            Some(Group::Brace { math }) => *math,
            Some(Group::Dollar) => true,
            None => false,
        }
    }

    /// Whether anything is left.
    fn step(&mut self) -> Result<bool, String> {
        let Some(c) = self.rest.chars().next() else {
            return self.end().map(|()| false);
        };
        self.rest = &self.rest[c.len_utf8()..];
        let opens = self.opens.take();
        match c {
            '\\' => self.command()?,
            '{' => {
                let math = opens.unwrap_or(self.math());
                self.groups.push(Group::Brace { math });
            }
            _ if opens.is_some() => return Err("a command without its group".into()),
            '}' if !matches!(self.groups.pop(), Some(Group::Brace { .. })) => {
                return Err("a group closes that is not open".into());
            }
            '$' if self.groups.last() == Some(&Group::Dollar) => drop(self.groups.pop()),
            '$' if self.math() => return Err("a formula within a formula".into()),
            '$' => self.groups.push(Group::Dollar),
            '_' | '^' if !self.math() => return Err("a script outside of a formula".into()),
            '&' | '#' | '%' => return Err("a sign that TeX keeps to itself".into()),
            '\n' if self.rest.starts_with('\n') && !self.groups.is_empty() => {
                return Err("a paragraph ends within a group".into());
            }
            c if !(c.is_ascii_graphic() || " \n".contains(c)) => {
                return Err(format!(
                    "the character {c:?}, for which no package is loaded"
                ));
            }
            _ => {}
        }
        Ok(true)
    }

    /// The text of the group that follows.
    fn argument(&self) -> Result<&'a str, String> {
        let inside = self.rest.strip_prefix('{').and_then(|s| s.split_once('}'));
        Ok(inside.ok_or("a command without its group")?.0)
    }

    fn command(&mut self) -> Result<(), String> {
        let letters = self.rest.find(|c: char| !c.is_ascii_alphabetic());
        let (name, rest) = self.rest.split_at(letters.unwrap_or(self.rest.len()));
        if name.is_empty() {
            let sign = rest.chars().next().ok_or("a command without a name")?;
            self.rest = &rest[sign.len_utf8()..];
            return match sign {
                // Signs, accents, and the bars of a norm.
                '{' | '}' | '$' | '&' | '#' | '%' | '_' => Ok(()),
                '\'' | '"' if self.rest.starts_with(|c: char| c.is_ascii_alphabetic()) => Ok(()),
                '|' | ',' if self.math() => Ok(()),
                _ => Err(format!("no command \\{sign}")),
            };
        }
        self.rest = rest;
        let known = |list: &str| list.split_whitespace().any(|known| known == name);
        let loaded =
            |(package, list): &(&str, &str)| self.packages.contains(package) && known(list);
        if known(MATH) || PACKAGES.iter().any(loaded) {
            self.opens = (name == "mbox").then_some(false);
            return match self.math() {
                true => Ok(()),
                false => Err(format!("\\{name} outside of a formula")),
            };
        }
        if !known(TEXT) {
            return Err(format!("no command \\{name}"));
        }
        match name {
            "ensuremath" => self.opens = Some(true),
            "usepackage" => {
                let options = self.rest.split_once('{').map(|(options, _)| options.len());
                self.rest = &self.rest[options.ok_or("no package")?..];
                self.packages.push(self.argument()?);
            }
            "begin" => self.environments.push(self.argument()?),
            "end" if self.environments.pop() != Some(self.argument()?) => {
                return Err("an environment ends that is not open".into());
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&self) -> Result<(), String> {
        match (self.groups.is_empty(), self.environments.is_empty()) {
            (true, true) => Ok(()),
            _ => Err(format!(
                "not closed: {:?} {:?}",
                self.groups, self.environments
            )),
        }
    }
}

/// So that no fault means something: each of these is found, and what is right is not.
#[test]
fn a_document_that_tex_does_not_take_is_told() {
    let document = |body: &str| {
        format!(
            "\\documentclass{{article}}\n\\usepackage{{amssymb}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
        )
    };
    let right = "$x_{1}^{2}\\,\\mbox{ of 5 \\% }\\sqrt{2}$ M\\textsubscript{j\\textsuperscript{2}} \\ensuremath{\\lesssim} \\ensuremath{\\bar{w}} $-$ 5 \\% \\'e a~b";
    assert_eq!(fault(&document(right)), None);
    for wrong in [
        "\\emph{x",
        "x}",
        "$x",
        "x_1",
        "x^2",
        "5 % of it",
        "a & b",
        "\\alpha",
        "\\ensuremath x",
        "$\\mbox{x_1}$",
        "$\\mbox x$",
        "\\undefined{}",
        "é",
        "\\begin{itemize}",
        "\\end{itemize}",
        "$\\ensuremath{a}$ $b",
        "\\emph{a\n\nb}",
        "\\ensuremath{\\emph{$x$}}",
    ] {
        assert!(fault(&document(wrong)).is_some(), "{wrong}");
    }
    let bare = document(right).replace("\\usepackage{amssymb}\n", "");
    assert!(fault(&bare).is_some_and(|why| why.contains("lesssim")));
}
