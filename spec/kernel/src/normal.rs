//! Normal forms: two terms with the same normal form are equal wherever their context holds.
//!
//! A number becomes a polynomial with rational coefficients in atoms (variables, entries, roots, values of
//! functions, sums, expectations …); an atom has a negative power only if it is plainly positive. What is
//! rewritten, and nothing else: definitions unfold; √x² = x and √(c²·x) = c·√x for c ≥ 0; |x| = √(x²); ‖v‖ = √(Σ vⱼ²); Σ and E are linear, what their variable does not
//! occur in is taken out, and E goes into Σ and its powers; 𝟙[i=i] = 1, 𝟙[i=j] = 𝟙[j=i], 𝟙[i=j]² = 𝟙[i=j] and Σ_k 𝟙[k=j]·t = t at j; max(0, c·x : …) = c·max(0, x : …) for c ≥ 0; for a centred
//! Gaussian vector or number E η_i = 0 and E η_i·η_j = σ²·𝟙[i=j]; 1[j∈S]² = 1[j∈S] and E 1[j∈S] = P(j∈S).

use crate::Stuck;
use crate::rules::require;
use crate::scope::Scope;
use crate::sign;
use crate::statement::{Context, Sign, Sort};
use crate::tame;
use crate::term::{Binder, Name, Op, Term, bind, num, op};
use rug::Rational;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

/// Powers of atoms; none is zero. Atoms are long and occur in many products, so they are shared.
type Monomial = BTreeMap<Rc<Term>, i32>;

/// A polynomial in atoms; no coefficient is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Poly(BTreeMap<Monomial, Rational>);

impl Poly {
    fn constant(value: Rational) -> Self {
        let mut sum = Self::default();
        sum.plus(Monomial::new(), value);
        sum
    }

    fn atom(atom: Term) -> Self {
        Self(BTreeMap::from([(
            Monomial::from([(atom.into(), 1)]),
            Rational::from(1),
        )]))
    }

    fn plus(&mut self, monomial: Monomial, coefficient: Rational) {
        match self.0.entry(monomial) {
            Entry::Vacant(_) if coefficient.is_zero() => {}
            Entry::Vacant(entry) => {
                entry.insert(coefficient);
            }
            Entry::Occupied(mut entry) => {
                *entry.get_mut() += coefficient;
                if entry.get().is_zero() {
                    entry.remove();
                }
            }
        }
    }

    /// self + factor·other. Takes the other, as atoms may be long.
    pub fn add(&mut self, other: Self, factor: &Rational) {
        for (monomial, c) in other.0 {
            // To multiply fractions is to look for common divisors.
            let c = if *factor == 1 { c } else { c * factor };
            self.plus(monomial, c);
        }
    }

    /// The number that this is, if it is one.
    fn number(&self) -> Option<Rational> {
        match self.0.len() {
            0 => Some(Rational::new()),
            1 => self.0.get(&Monomial::new()).cloned(),
            _ => None,
        }
    }

    /// As a term with its parts in order.
    fn term(&self) -> Term {
        let mut terms: Vec<Term> = self.0.iter().map(|(m, c)| product(m, c)).collect();
        terms.sort();
        match terms.len() {
            0 => num(0),
            1 => terms.remove(0),
            _ => Term::Op(Op::Add, terms.into()),
        }
    }
}

impl Poly {
    /// As a term of whole numbers and quotients.
    pub fn written(&self) -> Term {
        quotients(&self.term())
    }
}

/// A term with quotients of whole numbers for fractions.
fn quotients(term: &Term) -> Term {
    let all = |a: &[Term]| a.iter().map(quotients).collect();
    match term {
        Term::Num(value) if *value.denom() != 1 => {
            let (above, below) = value.clone().into_numer_denom();
            Term::Num(above.into()) / Term::Num(below.into())
        }
        Term::Num(_) | Term::Var(_) => term.clone(),
        Term::App(f, a) => Term::App(f.clone(), all(a)),
        Term::Op(o, a) => Term::Op(*o, all(a)),
        Term::Bind(b, x, of, body) => bind(*b, x, quotients(of), quotients(body)),
    }
}

fn product(monomial: &Monomial, coefficient: &Rational) -> Term {
    let mut factors: Vec<Term> = monomial
        .iter()
        .map(|(atom, e)| match e {
            1 => Term::clone(atom),
            e => atom.pow((*e).into()),
        })
        .collect();
    if *coefficient != 1 || factors.is_empty() {
        factors.push(Term::Num(coefficient.clone()));
    }
    factors.sort();
    match factors.len() {
        1 => factors.remove(0),
        _ => Term::Op(Op::Mul, factors.into()),
    }
}

/// The index j if an atom is 𝟙[k = j], either way round.
fn picked(atom: &Term, k: &str) -> Option<Term> {
    match atom {
        Term::Op(Op::Unit, a) if a[0] == Term::Var(k.to_owned()) => Some(a[1].clone()),
        Term::Op(Op::Unit, a) if a[1] == Term::Var(k.to_owned()) => Some(a[0].clone()),
        _ => None,
    }
}

/// The indices i of a product of entries x\[i\], each as often as its power says, of a number x that of its only entry; `None` if
/// there are other factors, or none.
fn entries(x: &str, product: &Monomial) -> Option<Vec<Term>> {
    let indices = product.iter().map(|(atom, e)| match &**atom {
        Term::Op(Op::At, a) if a[0] == Term::Var(x.to_owned()) => {
            Some(vec![a[1].clone(); usize::try_from(*e).ok()?])
        }
        Term::Var(y) if y == x => Some(vec![num(0); usize::try_from(*e).ok()?]),
        _ => None,
    });
    Some(indices.collect::<Option<Vec<_>>>()?.concat())
}

/// How deep binders are nested in a term.
fn height(term: &Term) -> usize {
    match term {
        Term::Num(_) | Term::Var(_) => 0,
        Term::App(_, a) | Term::Op(_, a) => a.iter().map(height).max().unwrap_or(0),
        Term::Bind(_, _, of, body) => (1 + height(body)).max(height(of)),
    }
}

/// Another name for a free variable, with sums and products put in order again.
fn renamed(term: &Term, from: &str, to: &str) -> Term {
    let all = |a: &[Term]| a.iter().map(|x| renamed(x, from, to)).collect::<Vec<_>>();
    match term {
        Term::Var(x) if x == from => Term::Var(to.to_owned()),
        Term::Num(_) | Term::Var(_) => term.clone(),
        _ if !term.mentions(from) => term.clone(),
        Term::App(f, a) => Term::App(f.clone(), all(a).into()),
        Term::Op(o, a) => {
            let mut a = all(a);
            if matches!(o, Op::Add | Op::Mul | Op::Unit) {
                a.sort();
            }
            Term::Op(*o, a.into())
        }
        // A law by weights stands as it was written, and may call an index what is put here.
        Term::Bind(_, x, ..) if x == to => term.put(from, &Term::Var(to.to_owned())),
        Term::Bind(b, x, of, body) => {
            let of = renamed(of, from, to);
            bind(*b, x, of, renamed(body, from, to))
        }
    }
}

/// A binder around a body in normal form, its variable named after the body's height: so the name does
/// not depend on where the whole stands.
fn closed(binder: Binder, name: &str, of: Term, body: &Term) -> Term {
    let own = format!("%{}", height(body));
    bind(binder, &own, of, renamed(body, name, &own))
}

/// Computes normal forms in a context.
pub(crate) struct Normaliser<'a> {
    scope: Scope<'a>,
}

/// The normal form of a well-formed number.
pub(crate) fn normal(context: &Context, term: &Term) -> Result<Poly, Stuck> {
    Normaliser::new(context).kept(term)
}

/// Normal forms by their terms.
type Forms = BTreeMap<Term, Poly>;

/// Normal forms of terms in a context and under binders that are open.
struct Known {
    context: Context,
    /// A term's is by the variables of binders, all up to the last that it mentions.
    forms: Vec<(Vec<(Name, Sort)>, Forms)>,
}

/// Of so many contexts, those in use of late, what was found is kept.
const CONTEXTS: usize = 8;

thread_local! {
    /// The context in use is the last.
    static KNOWN: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

/// Normal forms that are known in a context, which becomes the last.
fn known_in<'a>(all: &'a mut Vec<Known>, context: &Context) -> &'a mut Known {
    let place = all.iter().rposition(|known| known.context == *context);
    if place.is_none() && all.len() == CONTEXTS {
        all.remove(0);
    }
    let new = || Known {
        context: context.clone(),
        forms: Vec::new(),
    };
    let used = place.map_or_else(new, |i| all.remove(i));
    all.push(used);
    let last = all.len() - 1;
    &mut all[last]
}

impl Known {
    /// Those under open binders.
    fn under(&mut self, open: &[(Name, Sort)]) -> &mut Forms {
        let place = self.forms.iter().position(|(of, _)| of == open);
        let place = place.unwrap_or_else(|| {
            self.forms.push((open.to_vec(), Forms::new()));
            self.forms.len() - 1
        });
        &mut self.forms[place].1
    }
}

/// The name of the variable of a binder so deep: all are of one length, so that what is bound outside comes first.
fn opened(depth: usize) -> Name {
    format!("?{depth:09}")
}

impl<'a> Normaliser<'a> {
    pub fn new(context: &'a Context) -> Self {
        let scope = Scope::new(context);
        Self { scope }
    }

    /// The name of the next binder's variable, by its depth: so equal terms under equal binders stay equal when these are
    /// opened, and what was found for one is found again.
    fn fresh(&self) -> Name {
        opened(self.scope.locals.len())
    }

    fn open(&mut self, sort: Sort) -> Name {
        let name = self.fresh();
        self.scope.locals.push((name.clone(), sort));
        name
    }

    /// What was found for an equal term in an equal context, under equal binders as far as it mentions their variables: on
    /// these alone a normal form depends. Or what is computed now.
    fn kept(&mut self, term: &Term) -> Result<Poly, Stuck> {
        let context = self.scope.context;
        let last = self
            .scope
            .locals
            .iter()
            .rposition(|(x, _)| term.mentions(x));
        let depth = last.map_or(0, |i| i + 1);
        let open = &self.scope.locals[..depth];
        let known = |all: &mut Vec<Known>| known_in(all, context).under(open).get(term).cloned();
        if let Some(found) = KNOWN.with_borrow_mut(known) {
            return Ok(found);
        }
        let found = self.computed(term)?;
        let (open, term, form) = (&self.scope.locals[..depth], term.clone(), found.clone());
        KNOWN.with_borrow_mut(|all| known_in(all, context).under(open).insert(term, form));
        Ok(found)
    }

    fn needs(&mut self, term: &Term, sign: Sign, what: &str) -> Result<(), Stuck> {
        if sign::of(&mut self.scope, term) >= sign {
            return Ok(());
        }
        Err(Stuck::new(format!(
            "{what} {term:?} is not plainly {sign:?}"
        )))
    }

    /// The product of two polynomials.
    pub fn times(&mut self, a: &Poly, b: &Poly) -> Result<Poly, Stuck> {
        if a.number().is_some_and(|c| c == 1) {
            return Ok(b.clone());
        }
        let mut result = Poly::default();
        for (x, c) in &a.0 {
            for (y, d) in &b.0 {
                let mut monomial = x.clone();
                for (atom, e) in y {
                    let power = monomial.entry(atom.clone()).or_insert(0);
                    *power += e;
                    // Far from where whole numbers of this size would begin anew.
                    require(power.abs() <= 1 << 20, "the power is too large")?;
                }
                let reduced = self.reduce(monomial)?;
                result.add(reduced, &Rational::from(c * d));
            }
        }
        Ok(result)
    }

    /// A product of powers, with roots and indicators rewritten.
    fn reduce(&mut self, monomial: Monomial) -> Result<Poly, Stuck> {
        let stays = |atom: &Term, e: i32| match atom {
            Term::Op(Op::Sqrt | Op::Member | Op::Unit, _) => e == 1,
            _ => e != 0,
        };
        if monomial.iter().all(|(atom, e)| stays(atom, *e)) {
            return Ok(Poly(BTreeMap::from([(monomial, Rational::from(1))])));
        }
        let mut plain = Monomial::new();
        let mut factors = Vec::new();
        for (atom, e) in monomial {
            match &*atom {
                Term::Op(Op::Sqrt, inside) if e.rem_euclid(2) != e => {
                    let inside = self.number(&inside[0])?;
                    factors.push(self.power(&inside, e.div_euclid(2))?);
                    if e.rem_euclid(2) == 1 {
                        plain.insert(atom, 1);
                    }
                }
                Term::Op(Op::Member | Op::Unit, _) if e > 1 => {
                    plain.insert(atom, 1);
                }
                _ if e == 0 => {}
                _ => {
                    plain.insert(atom, e);
                }
            }
        }
        let mut result = Poly(BTreeMap::from([(plain, Rational::from(1))]));
        for factor in factors {
            result = self.times(&result, &factor)?;
        }
        Ok(result)
    }

    fn power(&mut self, base: &Poly, exponent: i32) -> Result<Poly, Stuck> {
        let mut result = Poly::constant(Rational::from(1));
        if exponent >= 0 {
            for _ in 0..exponent {
                result = self.times(&result, base)?;
            }
            return Ok(result);
        }
        let inverse = match base.0.first_key_value() {
            Some((monomial, c)) if base.0.len() == 1 => {
                for atom in monomial.keys() {
                    self.needs(atom, Sign::Positive, "the divisor")?;
                }
                let flipped = monomial.iter().map(|(a, e)| (a.clone(), -e)).collect();
                let c = c.clone().recip();
                let mut flipped = self.reduce(flipped)?;
                for value in flipped.0.values_mut() {
                    *value *= &c;
                }
                flipped
            }
            _ => {
                let whole = base.term();
                self.needs(&whole, Sign::Positive, "the divisor")?;
                Poly(BTreeMap::from([(
                    Monomial::from([(whole.into(), -1)]),
                    Rational::from(1),
                )]))
            }
        };
        self.power(&inverse, -exponent)
    }

    /// A number as a polynomial.
    pub fn number(&mut self, term: &Term) -> Result<Poly, Stuck> {
        match term {
            Term::App(..) | Term::Bind(..) => self.kept(term),
            _ => self.computed(term),
        }
    }

    fn computed(&mut self, term: &Term) -> Result<Poly, Stuck> {
        match term {
            Term::Num(value) => Ok(Poly::constant(value.clone())),
            Term::Var(_) => Ok(Poly::atom(term.clone())),
            Term::Op(op, arguments) => self.operation(*op, arguments),
            Term::App(name, arguments) => match self.scope.context.unfold(name, arguments) {
                Some(body) => self.number(&body),
                None => Ok(Poly::atom(self.applied(name, arguments)?)),
            },
            Term::Bind(binder, name, of, body) => match binder {
                Binder::Sum => {
                    let count = self.number(of)?;
                    self.sum(*binder, name, of, body, &count)
                }
                Binder::Total => {
                    let one = closed(Binder::Total, "?", (**of).clone(), &num(1));
                    self.sum(*binder, name, of, body, &Poly::atom(one))
                }
                Binder::Sup => self.sup(name, of, body),
                Binder::Expect => self.expectation(name, of, body),
                Binder::Vec | Binder::Weighted => {
                    Err(Stuck::new(format!("{term:?} is not a number")))
                }
            },
        }
    }

    fn canonical(&mut self, term: &Term) -> Result<Term, Stuck> {
        Ok(self.number(term)?.term())
    }

    fn operation(&mut self, o: Op, a: &[Term]) -> Result<Poly, Stuck> {
        match (o, a) {
            (Op::Add, _) => {
                let mut result = Poly::default();
                for term in a {
                    let term = self.number(term)?;
                    result.add(term, &Rational::from(1));
                }
                Ok(result)
            }
            (Op::Sub, [x, y]) => {
                let mut result = self.number(x)?;
                let y = self.number(y)?;
                result.add(y, &Rational::from(-1));
                Ok(result)
            }
            (Op::Mul, _) => {
                let mut result = Poly::constant(Rational::from(1));
                for factor in a {
                    let factor = self.number(factor)?;
                    result = self.times(&result, &factor)?;
                }
                Ok(result)
            }
            (Op::Div, [x, y]) => {
                let (x, y) = (self.number(x)?, self.number(y)?);
                let inverse = self.power(&y, -1)?;
                self.times(&x, &inverse)
            }
            (Op::Pow, [x, Term::Num(n)]) => {
                let exponent = n.numer().to_i32();
                let exponent = exponent.filter(|e| (-64..=64).contains(e));
                let exponent = exponent.ok_or_else(|| Stuck::new("the power is too large"))?;
                let x = self.number(x)?;
                self.power(&x, exponent)
            }
            // x^(n + c) = x^n·x^c for a whole number c.
            (Op::Pow, [x, n]) => {
                let (x, mut n) = (self.number(x)?, self.number(n)?);
                let whole = n.0.remove(&Monomial::new()).unwrap_or_default();
                let whole = self.number(&op(Op::Pow, [x.term(), Term::Num(whole)]))?;
                let rest = op(Op::Pow, [x.term(), n.term()]);
                match n.0.is_empty() {
                    true => Ok(whole),
                    false => self.times(&Poly::atom(rest), &whole),
                }
            }
            (Op::Sqrt, [x]) => {
                // The normal form of a square need not look like one.
                let inside = self.number(x)?;
                if sign::of(&mut self.scope, x) < Sign::NonNegative {
                    self.needs(&inside.term(), Sign::NonNegative, "under the root,")?;
                }
                self.root(&inside)
            }
            (Op::Norm, [v]) => {
                let d = self.scope.vector(v)?;
                let j = self.fresh();
                let entry = op(Op::At, [v.clone(), Term::Var(j.clone())]);
                self.number(&bind(Binder::Sum, &j, d, entry.pow(2)).sqrt())
            }
            (Op::Exp, [x]) => Ok(Poly::atom(self.canonical(x)?.exp())),
            (Op::Log, [x]) => {
                let inside = self.canonical(x)?;
                self.needs(&inside, Sign::Positive, "under the logarithm,")?;
                Ok(Poly::atom(inside.log()))
            }
            (Op::Max | Op::AtMost | Op::Clip, [x, y]) => {
                let (x, y) = (self.canonical(x)?, self.canonical(y)?);
                Ok(Poly::atom(op(o, [x, y])))
            }
            (Op::Abs, [x]) => self.number(&x.pow(2).sqrt()),
            (Op::At, [v, j]) => self.entry(v, j),
            (Op::Partial, [f, x, rest @ ..]) => {
                let mut arguments = vec![f.clone(), self.vector(x)?];
                arguments.extend(rest.iter().cloned());
                Ok(Poly::atom(Term::Op(Op::Partial, arguments.into())))
            }
            (Op::Unit, [i, j]) if i == j => Ok(Poly::constant(Rational::from(1))),
            (Op::Unit, [i, j]) if i > j => Ok(Poly::atom(op(o, [j.clone(), i.clone()]))),
            (Op::Unit | Op::Member | Op::Inclusion, _) => Ok(Poly::atom(Term::Op(o, a.into()))),
            _ => Err(Stuck::new(format!("{o:?} of {a:?} is not a number"))),
        }
    }

    fn entry(&mut self, v: &Term, j: &Term) -> Result<Poly, Stuck> {
        match v {
            Term::Bind(Binder::Vec, x, _, body) => self.number(&body.put(x, j)),
            Term::Var(_) => Ok(Poly::atom(op(Op::At, [v.clone(), j.clone()]))),
            _ => {
                let v = self.vector(v)?;
                Ok(Poly::atom(op(Op::At, [v, j.clone()])))
            }
        }
    }

    /// A function or an attribute of records, applied, with its vectors in normal form.
    fn applied(&mut self, name: &str, arguments: &[Term]) -> Result<Term, Stuck> {
        // A record is a variable, and is left as it is like a vector that is one.
        let arguments: Result<_, Stuck> = arguments.iter().map(|x| self.vector(x)).collect();
        Ok(Term::App(name.to_owned(), arguments?))
    }

    /// The root of a number ≥ 0: of one product, squares of factors that are plainly ≥ 0 are taken out.
    fn root(&mut self, inside: &Poly) -> Result<Poly, Stuck> {
        let Some((monomial, c)) = inside.0.first_key_value().filter(|_| inside.0.len() == 1) else {
            return Ok(Poly::atom(inside.term().sqrt()));
        };
        let (mut outside, mut kept) = (Monomial::new(), Monomial::new());
        for (atom, e) in monomial {
            let square = sign::of(&mut self.scope, atom) >= Sign::NonNegative;
            let out = if square { e.div_euclid(2) } else { 0 };
            for (part, e) in [(&mut outside, out), (&mut kept, e - 2 * out)] {
                if e != 0 {
                    part.insert(atom.clone(), e);
                }
            }
        }
        // √(p/q) = √(p·q)/q, and squares of small numbers are taken out of p·q.
        let mut below = rug::Integer::from(c.numer() * c.denom());
        let mut factor = Rational::from((1, c.denom().clone()));
        for small in 2..100u32 {
            while below.is_divisible_u(small * small) {
                below /= small * small;
                factor *= small;
            }
        }
        let c = Rational::from(below);
        let outside = Poly(BTreeMap::from([(outside, factor)]));
        if kept.is_empty() && c == 1 {
            return Ok(outside);
        }
        let kept = Poly::atom(product(&kept, &c).sqrt());
        self.times(&outside, &kept)
    }

    /// A vector in normal form: a variable, an element of a sequence, or its entries.
    fn vector(&mut self, v: &Term) -> Result<Term, Stuck> {
        match v {
            Term::Var(_) => Ok(v.clone()),
            Term::App(name, arguments) => self.applied(name, arguments),
            Term::Op(Op::Clip, arguments) => {
                let (x, bound) = (self.vector(&arguments[0])?, self.canonical(&arguments[1])?);
                Ok(op(Op::Clip, [x, bound]))
            }
            Term::Op(Op::At, arguments) => {
                let [sequence, k] = &arguments[..] else {
                    return Err(Stuck::new("an element of a sequence has one index"));
                };
                let k = self.canonical(k)?;
                Ok(op(Op::At, [sequence.clone(), k]))
            }
            Term::Bind(Binder::Vec, x, bound, body) => {
                let j = self.open(Sort::Index((**bound).clone()));
                let entries = self.canonical(&body.put(x, &Term::Var(j.clone())))?;
                self.scope.locals.pop();
                // The vector of the entries of v is v.
                if let Term::Op(Op::At, arguments) = &entries
                    && arguments[1] == Term::Var(j.clone())
                    && !arguments[0].mentions(&j)
                {
                    return Ok(arguments[0].clone());
                }
                Ok(closed(Binder::Vec, &j, (**bound).clone(), &entries))
            }
            _ => Err(Stuck::new(format!("{v:?} is not a vector"))),
        }
    }

    /// Splits a product into what does not mention a variable and what does.
    fn split(monomial: &Monomial, name: &str) -> (Monomial, Monomial) {
        let parts = monomial.iter().map(|(a, e)| (a.clone(), *e));
        parts.partition(|(atom, _)| !atom.mentions(name))
    }

    /// Σ over indices or records; `count` is Σ 1.
    fn sum(
        &mut self,
        binder: Binder,
        x: &str,
        bound: &Term,
        body: &Term,
        count: &Poly,
    ) -> Result<Poly, Stuck> {
        let sort = self.scope.bound(binder, bound)?;
        let k = self.open(sort);
        let body = self.number(&body.put(x, &Term::Var(k.clone())));
        self.scope.locals.pop();
        let mut result = Poly::default();
        for (monomial, c) in &body?.0 {
            let (outside, inside) = Self::split(monomial, &k);
            let unit = inside
                .keys()
                .find_map(|atom| Some((atom.clone(), picked(atom, &k)?)));
            let factor = if let Some((unit, j)) = unit {
                let mut rest = inside;
                rest.remove(&unit);
                self.number(&product(&rest, &Rational::from(1)).put(&k, &j))?
            } else if inside.is_empty() {
                count.clone()
            } else {
                let inside = product(&inside, &Rational::from(1));
                Poly::atom(closed(binder, &k, bound.clone(), &inside))
            };
            let outside = Poly(BTreeMap::from([(outside, Rational::from(1))]));
            let term = self.times(&outside, &factor)?;
            result.add(term, c);
        }
        Ok(result)
    }

    fn sup(&mut self, x: &str, range: &Term, body: &Term) -> Result<Poly, Stuck> {
        let sort = self.scope.bound(Binder::Sup, range)?;
        let k = self.open(sort);
        let body = self.number(&body.put(x, &Term::Var(k.clone())));
        self.scope.locals.pop();
        let body = body?;
        if let Some((monomial, c)) = body.0.first_key_value()
            && body.0.len() == 1
            && *c > 0
        {
            let (outside, inside) = Self::split(monomial, &k);
            let factor = product(&outside, c);
            if sign::of(&mut self.scope, &factor) >= Sign::NonNegative {
                let inside = product(&inside, &Rational::from(1));
                let rest = Poly::atom(closed(Binder::Sup, &k, range.clone(), &inside));
                let outside = Poly(BTreeMap::from([(outside, c.clone())]));
                return self.times(&outside, &rest);
            }
        }
        Ok(Poly::atom(closed(
            Binder::Sup,
            &k,
            range.clone(),
            &body.term(),
        )))
    }

    fn expectation(&mut self, x: &str, law: &Term, body: &Term) -> Result<Poly, Stuck> {
        let law = self.law(law)?;
        tame::law(&mut self.scope, &law)?;
        let sort = self.scope.bound(Binder::Expect, &law)?;
        let drawn = self.open(sort);
        let body = body.put(x, &Term::Var(drawn.clone()));
        let found = tame::check(&mut self.scope, &body, &drawn).and_then(|()| self.number(&body));
        self.scope.locals.pop();
        let mut result = Poly::default();
        for (monomial, c) in &found?.0 {
            let (outside, inside) = Self::split(monomial, &drawn);
            let moment = self.moment(&drawn, &law, &inside)?;
            let outside = Poly(BTreeMap::from([(outside, Rational::from(1))]));
            let term = self.times(&outside, &moment)?;
            result.add(term, c);
        }
        Ok(result)
    }

    fn law(&mut self, law: &Term) -> Result<Term, Stuck> {
        match law {
            Term::Op(o @ (Op::Normal | Op::Laplace), a) => {
                let mut a = a.to_vec();
                if let Some(spread) = a.last_mut() {
                    *spread = self.canonical(spread)?;
                }
                Ok(Term::Op(*o, a.into()))
            }
            other => Ok(other.clone()),
        }
    }

    /// The expectation of a product all of whose factors mention what is drawn.
    fn moment(&mut self, x: &str, law: &Term, inside: &Monomial) -> Result<Poly, Stuck> {
        if inside.is_empty() {
            return Ok(Poly::constant(Rational::from(1)));
        }
        if let Some((atom, 1)) = inside.first_key_value()
            && let Term::Op(Op::Member, member) = &**atom
            && (inside.len(), matches!(law, Term::Var(_))) == (1, true)
            && member[1] == Term::Var(x.to_owned())
        {
            let probability = op(Op::Inclusion, [member[0].clone(), law.clone()]);
            return Ok(Poly::atom(probability));
        }
        if let Term::Op(Op::Normal, parameters) = law {
            let pair = |i: &Term, j: &Term| {
                let same = op(Op::Unit, [i.clone(), j.clone()]);
                op(Op::Mul, [parameters[parameters.len() - 1].clone(), same])
            };
            match entries(x, inside).as_deref() {
                Some([_] | [_, _, _]) => return Ok(Poly::default()),
                Some([i, j]) => return self.number(&pair(i, j)),
                // Of four, the sum over the three ways to pair them (Isserlis 1918, Biometrika 12).
                Some([i, j, k, l]) => {
                    let ways = [[i, j, k, l], [i, k, j, l], [i, l, j, k]];
                    let ways = ways.map(|[a, b, c, d]| op(Op::Mul, [pair(a, b), pair(c, d)]));
                    return self.number(&op(Op::Add, ways));
                }
                _ => {}
            }
        }
        // E g·(Σ_k m)^e = Σ_k E g·(Σ_k m)^(e − 1)·m.
        let sum = inside.iter().find_map(|(atom, e)| match &**atom {
            Term::Bind(Binder::Sum, k, bound, body) if *e >= 1 => Some((atom, e, k, bound, body)),
            _ => None,
        });
        if let Some((atom, e, k, bound, body)) = sum {
            // A name of its own for the index: x has the next, and is still free.
            let index = opened(self.scope.locals.len() + 1);
            let mut others = inside.clone();
            others.remove(atom);
            if *e > 1 {
                others.insert(atom.clone(), e - 1);
            }
            let body = body.put(k, &Term::Var(index.clone()));
            let body = op(Op::Mul, [product(&others, &Rational::from(1)), body]);
            let inner = bind(Binder::Expect, x, law.clone(), body);
            return self.number(&bind(Binder::Sum, &index, (**bound).clone(), inner));
        }
        let body = product(inside, &Rational::from(1));
        Ok(Poly::atom(closed(Binder::Expect, x, law.clone(), &body)))
    }
}

/// Whether two numbers have the same normal form.
pub(crate) fn equal(context: &Context, a: &Term, b: &Term) -> Result<bool, Stuck> {
    if a == b {
        return Ok(true);
    }
    let mut difference = normal(context, a)?;
    difference.add(normal(context, b)?, &Rational::from(-1));
    Ok(difference.number().is_some_and(|c| c.is_zero()))
}
