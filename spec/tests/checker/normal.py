"""Normal forms of numbers: polynomials in atoms with exact coefficients."""

import functools
import itertools

from meaning import Kinds, bound_sort, drawn_sort, moments, sign, tame
from terms import (
    BINDERS, NONNEGATIVE, POSITIVE, exact, free, indexed, is_binder, is_name, is_number, need, other_name, put, quotient, same,
)


class Atom:
    """What a normal form does not look into. Equal terms up to bound names and the order of sums and products are the
    same atom, so that to compare two is to compare their places in memory; `order` tells others apart."""

    __slots__ = ("order", "term", "free")
    known = {}

    def __init__(self, order, term):
        self.order, self.term, self.free = order, term, free(term)


@functools.lru_cache(maxsize=1 << 18)
def atom_of(t):
    key = settled(indexed(t))
    found = Atom.known.get(key)
    if found is None:
        found = Atom.known[key] = Atom(repr(key), t)
    return found


@functools.lru_cache(maxsize=1 << 18)
def number_of(context, scope, t):
    return Normal(context, scope).computed(t)


ONE = {frozenset(): 1}


def ordered(monomial):
    return sorted(monomial, key=lambda pair: (pair[0].order, pair[1]))


class Normal:
    """Polynomials: {monomial: coefficient}, a monomial a frozenset of (atom, power)."""

    def __init__(self, context, scope=()):
        self.context, self.scope = context.plain, scope

    def atom(self, t):
        return {frozenset([(atom_of(t), 1)]): 1}

    def sign(self, t):
        return sign(self.context, self.scope, t)

    def plus(self, a, b, factor=1):
        out = dict(a)
        self.gather(out, b, factor)
        return out

    @staticmethod
    def gather(out, b, factor):
        for m, c in b.items():
            total = exact(out.get(m, 0) + factor * c)
            if total:
                out[m] = total
            else:
                out.pop(m, None)

    def times(self, a, b):
        if a == ONE:
            return b
        out = {}
        for (m, c), (n, d) in itertools.product(a.items(), b.items()):
            powers = dict(m)
            for atom, e in n:
                powers[atom] = powers.get(atom, 0) + e
            self.gather(out, self.reduced(powers), c * d)
        return out

    def reduced(self, powers):
        plain, factors = {}, []
        for atom, e in powers.items():
            head = atom.term[0]
            if head == "sqrt" and e not in (0, 1):
                inside = self.number(atom.term[1])
                factors.append(self.power(inside, e // 2))
                if e % 2:
                    plain[atom] = 1
            elif head in ("member", "unit") and e > 1:
                plain[atom] = 1
            elif e != 0:
                plain[atom] = e
        out = {frozenset(plain.items()): 1}
        for f in factors:
            out = self.times(out, f)
        return out

    def power(self, p, n):
        out = {frozenset(): 1}
        if n >= 0:
            for _ in range(n):
                out = self.times(out, p)
            return out
        if len(p) == 1:
            (m, c), = p.items()
            for atom, _ in m:
                need(self.sign(atom.term) == POSITIVE, "a divisor is not plainly positive")
            inverse = {k: quotient(v, c) for k, v in self.reduced({a: -e for a, e in m}).items()}
        else:
            whole_term = self.term(p)
            need(self.sign(whole_term) == POSITIVE, "a divisor is not plainly positive")
            (m, _), = self.atom(whole_term).items()
            (key, _), = m
            inverse = {frozenset([(key, -1)]): 1}
        return self.power(inverse, -n)

    def product(self, m, c=1):
        parts = [c] if c != 1 or not m else []
        for atom, e in ordered(m):
            t = atom.term
            parts.append(t if e == 1 else ("^", t, e))
        return parts[0] if len(parts) == 1 else ("*",) + tuple(parts)

    def term(self, p):
        parts = [self.product(m, c) for m, c in sorted(p.items(), key=repr_poly)]
        return 0 if not parts else parts[0] if len(parts) == 1 else ("+",) + tuple(parts)

    def canonical(self, t):
        return self.term(self.number(t))

    def number(self, t):
        """Once for the context, or for the scope where a name of it occurs."""
        if type(t) is not tuple:
            return self.computed(t)
        names = free(t)
        return number_of(self.context, self.scope if any(name in names for name, _ in self.scope) else (), t)

    def computed(self, t):
        if type(t) is not tuple:
            return self.atom(t) if type(t) is str else {frozenset(): t} if t else {}
        if t[0] in BINDERS:
            need(t[0] not in ("vec", "weighted"), "a vector or law is no number")
            if t[0] in ("sum", "total"):
                return self.sum(*t)
            return {"sup": self.sup, "E": self.expect}[t[0]](*t[1:])
        op, a = t[0], t[1:]
        if op == "app":
            body = self.context.unfold(t)
            if body is not None:
                return self.number(body)
            return self.atom(self.applied(t))
        if op == "+":
            out = {}
            for x in a:
                self.gather(out, self.number(x), 1)
            return out
        if op == "-":
            return self.plus(self.number(a[0]), self.number(a[1]), -1)
        if op == "*":
            out = {frozenset(): 1}
            for x in a:
                out = self.times(out, self.number(x))
            return out
        if op == "/":
            return self.times(self.number(a[0]), self.power(self.number(a[1]), -1))
        if op == "^" and not is_number(a[1]):
            return self.raised(self.number(a[0]), self.number(a[1]))
        if op == "^":
            need(abs(a[1]) <= 64, "the power is too large")
            return self.power(self.number(a[0]), int(a[1]))
        if op == "sqrt":
            p = self.number(a[0])
            signs = self.sign(a[0]), self.sign(self.term(p))
            need(max(signs) >= NONNEGATIVE, "a root of what may be negative")
            return self.root(p)
        if op == "norm":
            kind = Kinds(self.context, self.scope).kind(a[0])
            j = other_name("~j", a[0])
            return self.number(("sqrt", ("sum", j, kind[1], ("^", ("at", a[0], j), 2))))
        if op == "exp":
            return self.atom(("exp", self.canonical(a[0])))
        if op == "abs":
            return self.number(("sqrt", ("^", a[0], 2)))
        if op == "log":
            inside = self.canonical(a[0])
            need(self.sign(inside) == POSITIVE, "a logarithm of what may not be positive")
            return self.atom(("log", inside))
        if op in ("max", "at-most", "clip"):
            return self.atom((op,) + tuple(self.canonical(x) for x in a))
        if op == "at":
            if is_binder(a[0]) and a[0][0] == "vec":
                return self.number(put(a[0][3], a[0][1], a[1]))
            return self.atom(("at", self.vector(a[0]), a[1]))
        if op == "partial":
            return self.atom(("partial", a[0], self.vector(a[1])) + a[2:])
        need(op in ("unit", "member", "inclusion"), f"{op} is no number")
        if op == "unit" and a[0] == a[1]:
            return {frozenset(): 1}
        if op == "unit":
            return self.atom((op,) + tuple(sorted(a)))
        return self.atom(t)

    def raised(self, base, exponent):
        """x^(n + c) = x^n * x^c for a whole number c."""
        exponent = dict(exponent)
        literal = exponent.pop(frozenset(), 0)
        need(type(literal) is int and literal <= 64, "the power is too large")
        literal = self.power(base, literal)
        if not exponent:
            return literal
        return self.times(self.atom(("^", self.term(base), self.term(exponent))), literal)

    def open(self, sort, x, body):
        """A name for what is bound, and the body with it; by its depth, so that equal terms are opened alike."""
        name = other_name(f"~{len(self.scope):03}{'i' if sort[0] == 'index' else 'd'}", body)
        self.scope += ((name, sort),)
        return name, put(body, x, name)

    def close(self):
        self.scope = self.scope[:-1]

    def applied(self, t):
        s = Kinds(self.context, self.scope).sort(t[1])
        if s == "label" or s[0] == "feature":
            return t
        records = 1 if s[0] == "field" else 0
        vectors = t[2:len(t) - records]
        return t[:2] + tuple(self.vector(x) for x in vectors) + t[len(t) - records:]

    def root(self, p):
        """The root of a number >= 0: squares that are plainly >= 0 are taken out of a product."""
        if len(p) != 1:
            return self.atom(("sqrt", self.term(p)))
        (m, c), = p.items()
        outside, kept = {}, {}
        for key, e in m:
            out = e // 2 if self.sign(key.term) >= NONNEGATIVE else 0
            if out:
                outside[key] = out
            if e - 2 * out:
                kept[key] = e - 2 * out
        factor, below = quotient(1, c.denominator), c.numerator * c.denominator
        for small in range(2, 100):
            while below % small**2 == 0:
                below //= small**2
                factor *= small
        outside = {frozenset(outside.items()): factor}
        if not kept and below == 1:
            return outside
        inside = self.product(frozenset(kept.items()), below)
        return self.times(outside, self.atom(("sqrt", inside)))

    def vector(self, t):
        if is_name(t):
            return t
        if t[0] == "app":
            return self.applied(t)
        if t[0] == "clip":
            return ("clip", self.vector(t[1]), self.canonical(t[2]))
        if t[0] == "at":
            return ("at", t[1], self.canonical(t[2]))
        need(t[0] == "vec", f"{t} is no vector")
        j, entries = self.open(("index", t[2]), t[1], t[3])
        entries = self.canonical(entries)
        self.close()
        if isinstance(entries, tuple) and entries[0] == "at" and entries[2] == j and j not in free(entries[1]):
            return entries[1]
        return ("vec", j, t[2], entries)

    def split(self, m, name):
        inside = {(a, e) for a, e in m if name in a.free}
        return frozenset(m - inside), frozenset(inside)

    def sum(self, head, x, bound, body):
        count = self.number(bound) if head == "sum" else self.atom(("total", "~", bound, 1))
        k, body = self.open(bound_sort(self.context, head, bound), x, body)
        body = self.number(body)
        self.close()
        out = {}
        for m, c in body.items():
            outside, inside = self.split(m, k)
            picked = [(key, e) for key, e in inside if key.term[0] == "unit" and k in key.term[1:]]
            if picked:
                # Of several, the first by name: whichever it is, the sum must come out the same everywhere.
                first = min(picked, key=lambda pair: repr(put(pair[0].term, k, "%")))
                _, i, j = first[0].term
                rest = self.product(inside - {first})
                factor = self.number(put(rest, k, j if i == k else i))
            else:
                factor = self.atom((head, k, bound, self.product(inside))) if inside else count
            self.gather(out, self.times({outside: 1}, factor), c)
        return out

    def sup(self, x, of, body):
        k, body = self.open(("index", of[1]), x, body)
        body = self.number(body)
        self.close()
        if len(body) == 1:
            (m, c), = body.items()
            outside, inside = self.split(m, k)
            if c > 0 and self.sign(self.product(outside, c)) >= NONNEGATIVE:
                rest = self.atom(("sup", k, of, self.product(inside)))
                return self.times({outside: c}, rest)
        return self.atom(("sup", k, of, self.term(body)))

    def expect(self, x, law, body):
        if isinstance(law, tuple) and law[0] in ("normal", "laplace"):
            law = law[:-1] + (self.canonical(law[-1]),)
        moments(self.context, law)
        drawn, body = self.open(drawn_sort(self.context, law), x, body)
        tame(self.context, self.scope, body, drawn)
        body = self.number(body)
        self.close()
        out = {}
        for m, c in body.items():
            outside, inside = self.split(m, drawn)
            moment = self.moment(drawn, law, inside)
            self.gather(out, self.times({outside: 1}, moment), c)
        return out

    def moment(self, x, law, inside):
        if not inside:
            return {frozenset(): 1}
        if len(inside) == 1:
            (key, e), = inside
            t = key.term
            if t[0] == "member" and t[2] == x and is_name(law) and e == 1:
                return self.atom(("inclusion", t[1], law))
        factors = [key.term for key, e in ordered(inside) for _ in range(e)]
        positive = all(e > 0 for _, e in inside)
        if law[0] == "normal" and positive and all(t == x or t[:2] == ("at", x) for t in factors):
            # A number is its only entry.
            indices = [0 if t == x else t[2] for t in factors]
            if len(indices) in (1, 3):
                return {}
            if len(indices) in (2, 4):
                return self.number(pairings(law[-1], indices))
        for key, e in ordered(inside):
            t = key.term
            if is_binder(t) and t[0] == "sum" and e >= 1:
                _, k, bound, body = t
                left = frozenset([(key, e - 1)]) if e > 1 else frozenset()
                others = self.product(inside - {(key, e)} | left)
                index = other_name("~k", x, others, body, law)
                body = ("*", others, put(body, k, index))
                return self.sum("sum", index, bound, ("E", x, law, body))
        return self.atom(("E", x, law, self.product(inside)))


@functools.lru_cache(maxsize=1 << 18)
def settled(key):
    """A term with distances for bound names, its sums and products in an order that does not depend on names."""
    if not isinstance(key, tuple):
        return key
    head, *parts = key
    parts = [settled(part) for part in parts]
    return (head, *(sorted(parts, key=repr) if head in ("*", "+") else parts))


def pairings(variance, indices):
    """The sum over all ways to pair indices of the products of the variance and a `unit` for each pair."""
    if not indices:
        return 1
    first, *rest = indices
    ways = [
        ("*", ("*", variance, ("unit", first, j)), pairings(variance, rest[:m] + rest[m + 1:]))
        for m, j in enumerate(rest)
    ]
    return ways[0] if len(ways) == 1 else ("+", *ways)


def repr_poly(item):
    return ([(atom.order, e) for atom, e in ordered(item[0])], item[1])


def equal(context, a, b):
    if same(a, b):
        return True
    n = Normal(context)
    return n.plus(n.number(a), n.number(b), -1) == {}
