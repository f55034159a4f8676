"""Side conditions: what terms denote, their signs, and whether they have expectations."""

import functools
import re

from terms import (
    ANY, NONNEGATIVE, POSITIVE, SIGNS, Context, Rejected, bounds, free, is_binder, is_name, is_number, need, numeral, put, same,
)

LETTER = "A-Za-zαβγδεζηθικλμνξπρςστυφχψωϑϖϱϵΓΔΘΛΞΠΣΦΨΩāℒℓ𝒟𝒮𝒯"
NAME = re.compile(f"[{LETTER}][{LETTER}0-9₀-₉ᵢₘₙₜ′⋆]*")
# What normal forms leave over, and what the checker makes itself, of which no trace has one.
MADE = re.compile("%[0-9]+|~.*")
WORDS = frozenset("Gaussian Laplace N Pairwise Response argmax clip end exp if input log max min sqrt".split())


def sensible(name):
    need(is_name(name) and NAME.fullmatch(name) and name not in WORDS, f"{name} is not a name")


@functools.lru_cache(maxsize=1 << 18)
def kind_of(context, scope, t):
    return Kinds(context, scope).computed(t)


class Kinds:
    """What terms denote: nat, number, (vector d), (sequence d), (set d), (set-function d), other."""

    def __init__(self, context, scope=()):
        self.context, self.scope = context, tuple(scope)

    def inside(self, name, sort):
        return Kinds(self.context, self.scope + ((name, sort),))

    def sort(self, name):
        return self.context.sort(name, self.scope)

    def fresh(self, name):
        sensible(name)
        need(self.sort(name) is None and name not in self.context.named, f"{name} is taken")

    def count(self, t):
        need(self.kind(t) == "nat" and sign(self.context, self.scope, t) == POSITIVE, f"{t} is not a count")

    def record(self, t):
        need(is_name(t) and self.sort(t) == "record", f"{t} is no record")

    def set_law(self, name):
        s = self.context.sort(name) if is_name(name) else None
        need(isinstance(s, tuple) and s[0] == "set-law", f"{name} is no law of a set")
        return s[1]

    def is_vector(self, t):
        kind = self.kind(t)
        return isinstance(kind, tuple) and kind[0] == "vector"

    def number(self, t):
        # Here and below: a message is made where it is needed, as terms are long, and no part is looked at twice.
        kind = self.kind(t)
        if kind not in ("nat", "number"):
            raise Rejected(f"{t} is not a number")
        return kind

    def index(self, j, bound):
        s = self.sort(j) if is_name(j) else None
        if not (isinstance(s, tuple) and s[0] == "index" and same(s[1], bound)):
            raise Rejected(f"{j} is no index")

    def vector(self, t, d):
        kind = self.kind(t)
        if not (isinstance(kind, tuple) and kind[0] == "vector" and same(kind[1], d)):
            raise Rejected(f"{t} is no vector")

    def kind(self, t):
        return kind_of(self.context.plain, self.scope, t) if type(t) is tuple else self.computed(t)

    def computed(self, t):
        if is_number(t):
            need(t.denominator == 1, "a fraction is a quotient")
            return "nat" if t >= 0 else "number"
        if is_name(t):
            s = self.sort(t)
            if s is None:
                need(t in self.context.named and self.context.named[t][0] == "named", f"{t} has no meaning")
                return "other"
            if s == "count" or s[0] == "index":
                return "nat"
            if s[0] == "real":
                return "number"
            if s[0] in ("vector", "sequence", "set", "set-function"):
                return (s[0], s[1])
            if s[0] == "outcome":
                return ("set", self.set_law(s[1]))
            return "other"
        if not (isinstance(t, tuple) and len(t) >= 2):
            raise Rejected(f"{t} is no term")
        if is_binder(t):
            return self.bound(t)
        if t[0] == "app":
            return self.applied(t)
        return self.operation(t[0], t[1:])

    def applied(self, t):
        s = self.sort(t[1])
        if is_function(s):
            need(len(t) == 3, "a function takes one argument")
            self.vector(t[2], s[1])
            return "number"
        if s == "label" or isinstance(s, tuple) and s[0] == "feature":
            need(len(t) == 3, "one argument is taken")
            self.record(t[2])
            return "number" if s == "label" else ("vector", s[1])
        if isinstance(s, tuple) and s[0] == "loss":
            need(len(t) == 4, "a vector and a record are taken")
            self.vector(t[2], s[1])
            self.record(t[3])
            return "number"
        if isinstance(s, tuple) and s[0] == "field":
            need(len(t) == 4, "a vector and a record are taken")
            self.vector(t[2], s[1])
            self.record(t[3])
            return ("vector", s[2])
        if isinstance(s, tuple) and s[0] == "map":
            need(len(t) - 2 == len(s[1]), "a map takes so many vectors")
            for x, d in zip(t[2:], s[1]):
                self.vector(x, d)
            return ("vector", s[2])
        item = self.context.named.get(t[1])
        need(item and item[0] == "define" and len(item[2]) == len(t) - 2, f"{t[1]} cannot be applied")
        for (_, s), a in zip(item[2], t[2:]):
            self.takes(s, a)
        return "number"

    def takes(self, s, a):
        """Whether a definition with a parameter of that sort can take this."""
        if s[0] == "index":
            self.index(a, s[1])
        elif s == ("real", "any"):
            self.number(a)
        elif s[0] == "vector" and s[2] == "any":
            self.vector(a, s[1])
        else:
            need(s[0] == "set" and self.kind(a) == ("set", s[1]), f"{a} cannot be an argument")

    def operation(self, op, a):
        n = len(a)
        if op in ("+", "*"):
            need(n >= 2, "too few arguments")
            kinds = [self.number(x) for x in a]
            return "nat" if all(kind == "nat" for kind in kinds) else "number"
        if op == "norm":
            need(n == 1 and self.is_vector(a[0]), "a norm is of a vector")
            return "number"
        if op == "clip":
            need(n == 2, "a wrong number of arguments")
            self.number(a[1])
            kind = self.kind(a[0])
            if isinstance(kind, tuple) and kind[0] == "vector":
                return kind
            if kind not in ("nat", "number"):
                raise Rejected(f"{a[0]} is not a number")
            return "number"
        if op in ("-", "/", "max", "at-most", "^", "sqrt", "log", "exp", "abs"):
            need(n == (1 if op in ("sqrt", "log", "exp", "abs") else 2), "a wrong number of arguments")
            kinds = [self.number(x) for x in a]
            need(op != "^" or is_number(a[1]) or kinds[1] == "nat", "the power is no natural number")
            return "number"
        if op == "at":
            need(n == 2, "a wrong number of arguments")
            kind = self.kind(a[0])
            if not isinstance(kind, tuple):
                raise Rejected(f"{a[0]} has no entries")
            if kind[0] == "vector":
                self.index(a[1], kind[1])
            elif kind[0] == "sequence":
                need(self.kind(a[1]) == "nat", f"{a[1]} is not a natural number")
                return ("vector", kind[1])
            else:
                need(kind[0] == "set-function" and self.kind(a[1]) == ("set", kind[1]), "no subset")
            return "number"
        if op == "partial":
            need(n in (3, 4) and is_name(a[0]), "a wrong number of arguments")
            s = self.sort(a[0])
            need(is_function(s) if n == 3 else isinstance(s, tuple) and s[0] == "loss", "no derivative")
            if n == 4:
                self.record(a[2])
            self.vector(a[1], s[1])
            self.index(a[-1], s[1])
            return "number"
        if op == "unit":
            need(n == 2 and is_name(a[1]), "a wrong number of arguments")
            s = self.sort(a[1])
            need(isinstance(s, tuple) and s[0] == "index", f"{a[1]} is no index")
            self.index(a[0], s[1])
            return "number"
        if op == "member":
            need(n == 2, "a wrong number of arguments")
            kind = self.kind(a[1])
            if not (isinstance(kind, tuple) and kind[0] == "set"):
                raise Rejected(f"{a[1]} is no set")
            self.index(a[0], kind[1])
            return "number"
        if op == "inclusion":
            need(n == 2, "a wrong number of arguments")
            self.index(a[0], self.set_law(a[1]))
            return "number"
        raise Rejected(f"{op} is no operation")

    def bound(self, t):
        need(len(t) == 4 and is_name(t[1]), "a binder has a name, a range and a body")
        head, x, of, body = t
        need(x not in self.context.named, f"{x} has a meaning already")
        if not MADE.fullmatch(x):
            sensible(x)
        for _, s in self.scope:
            need(s[0] not in ("index", "vector") or x not in free(s[1]), f"a range depends on another {x}")
        if head in ("sum", "vec", "weighted"):
            self.count(of)
        elif head == "sup":
            need(isinstance(of, tuple) and of[0] == "except" and len(of) == 3, "no range")
            self.count(of[1])
            self.index(of[2], of[1])
        elif head == "E":
            self.law(of)
        inner = self.inside(x, bound_sort(self.context, head, of))
        inner.number(body)
        if head == "weighted":
            need(sign(self.context, inner.scope, body) >= NONNEGATIVE, "a weight may be negative")
            return "other"
        return ("vector", of) if head == "vec" else "number"

    def law(self, law):
        if isinstance(law, tuple) and law[0] in ("normal", "laplace"):
            need(len(law) in (2, 3), "noise has a spread, and before it perhaps a dimension")
            if len(law) == 3:
                self.count(law[1])
            self.number(law[-1])
            need(sign(self.context, self.scope, law[-1]) >= NONNEGATIVE, "the variance or scale may be negative")
        elif is_binder(law):
            need(law[0] == "weighted", f"{law} is no law")
            self.kind(law)
        else:
            drawn_sort(self.context, law)

    def check_sort(self, s):
        if s in ("count", "record", "label", "pair"):
            return
        need(isinstance(s, tuple) and len(s) >= 2, f"{s} is no sort")
        shapes = {"index": 2, "real": 2, "vector": 3, "sequence": 2, "loss": 4, "function": 3, "risk": 6, "dataset": 3,
                  "set-law": 2, "set": 2, "set-function": 3, "outcome": 2, "feature": 2, "field": 3,
                  "map": 3, "mechanism": 4}
        need(shapes.get(s[0]) == len(s), f"{s} is no sort")
        if s[0] in ("real", "vector", "set-function"):
            need(s[-1] in SIGNS, f"{s[-1]} is no sign")
        if s[0] == "outcome":
            self.set_law(s[1])
        elif s[0] == "map":
            need(isinstance(s[1], tuple) and s[1], "a map is of vectors")
            for d in s[1] + (s[2],):
                self.count(d)
        elif s[0] != "real":
            self.count(s[1])
        if s[0] == "field":
            self.count(s[2])
        if s[0] == "dataset":
            need(s[2] in ("replace-one", "zero-out"), "no relation")
        if s[0] in ("function", "risk"):
            self.constants(s[1], "entries", s[2])
        if s[0] == "risk":
            self.data(s[3])
            loss, rest = self.context.sort(s[4]), self.context.sort(s[5])
            need(loss[0] == "loss" and same(loss[1], s[1]) and loss[2] != "whole", "no differentiable loss")
            need(rest[0] == "function" and same(rest[1], s[1]), "no function without data")
        if s[0] == "loss":
            self.constants(*s[1:])
        if s[0] == "mechanism":
            self.data(s[2])
            self.inside("input", ("vector", s[1], "any")).notion(s[3])
            need(not any(self.context.reads(t, s[2]) for t in s[3][1:]), "a number reads the data")

    def constants(self, d, sense, name):
        s = self.context.sort(name)
        if sense == "entries":
            fits = isinstance(s, tuple) and s[0] == "vector" and same(s[1], d) and s[2] == "positive"
        elif sense == "whole":
            fits = s == ("real", "positive")
        else:
            need(isinstance(sense, tuple) and len(sense) == 2 and sense[0] == "sets", "no class of losses")
            fits = isinstance(s, tuple) and s[0] == "set-function" and same(s[1], d) and s[2] == "positive"
            need(same(self.set_law(sense[1]), d), "a law of other sets")
        need(fits, f"{name} are no constants")

    def notion(self, n):
        lengths = {"pure": 2, "zcdp": 2, "approximate": 3, "renyi": 3, "range": 2, "dominated": 2}
        need(isinstance(n, tuple) and n and lengths.get(n[0]) == len(n), "no notion")
        if n[0] == "dominated":
            return self.pair(n[1])
        for t in n[1:]:
            self.number(t)
        if n[0] == "renyi":
            need(sign(self.context, self.scope, n[1]) == POSITIVE, "an order is positive")

    def pair(self, p):
        if is_name(p):
            need(self.sort(p) == "pair", f"{p} is no pair")
            return
        need(isinstance(p, tuple) and p, "no pair")
        if p[0] in ("gaussian", "response"):
            need(len(p) == 2, "one number")
            self.number(p[1])
            need(sign(self.context, self.scope, p[1]) >= NONNEGATIVE, "the number of a pair may be negative")
        elif p[0] == "+":
            need(len(p) > 2, "too few pairs")
            for part in p[1:]:
                self.pair(part)
        elif p[0] == "sum":
            need(len(p) == 4, "no pair")
            self.count(p[2])
            self.fresh(p[1])
            self.inside(p[1], ("index", p[2])).pair(p[3])
        else:
            need(p[0] == "*" and len(p) == 3, "no pair")
            self.count(p[1])
            self.pair(p[2])

    def subject(self, s):
        if isinstance(s, tuple) and s[0] in ("transcript", "path", "end"):
            need(len(s) == 2, "no mechanism")
            self.context.process(s[1])
        else:
            need(self.command(s), "nothing is released")

    def command(self, c):
        """Checks a command; the variable that it names with its sort, or None."""
        need(isinstance(c, tuple) and c, "no command")
        if c[0] == "select":
            need(len(c) in (6, 7), "a selection has five parts or six")
            _, name, index, over, *scores = c
            self.count(over)
            self.fresh(index)
            inner = self.inside(index, ("index", over))
            for t in scores:
                inner.number(t)
            self.fresh(name)
            return (name, ("index", over))
        if c[0] == "release":
            need(len(c) == 4 and isinstance(c[3], tuple) and len(c[3]) in (2, 3, 7), "a release has three parts")
            self.fresh(c[1])
            if len(c[3]) == 7:
                head, over, user, own, ends, pairs, shared = c[3]
                need(head == "pairwise" and self.is_vector(c[2]), "no messages")
                self.count(over)
                self.count(pairs)
                self.index(user, over)
                self.number(own)
                self.number(shared)
                kind = self.kind(ends)
                need(isinstance(kind, tuple) and kind[0] == "sequence" and same(kind[1], over), "no factors")
                return (c[1], ("vector", ("*", over, self.kind(c[2])[1]), "any"))
            self.number(c[3][-1])
            if self.is_vector(c[2]):
                d = self.kind(c[2])[1]
                need(c[3][0] == "normal" and len(c[3]) == 3 and same(c[3][1], d), "no noise for a vector")
                return (c[1], ("vector", d, "any"))
            self.number(c[2])
            need(c[3][0] in ("normal", "laplace") and len(c[3]) == 2, "no noise for a number")
            return (c[1], ("real", "any"))
        if c[0] == "call":
            need(len(c) == 3 and isinstance(c[2], tuple) and len(c[2]) == 3 and c[2][0] == "app", "no call")
            s = self.sort(c[2][1])
            need(isinstance(s, tuple) and s[0] == "mechanism", "no mechanism")
            self.vector(c[2][2], s[1])
            self.fresh(c[1])
            return (c[1], ("vector", s[1], "any"))
        if c[0] == "repeat":
            need(len(c) >= 3, "a loop has an index and a bound")
            self.count(c[2])
            self.fresh(c[1])
            self.inside(c[1], ("index", c[2])).commands(c[3:])
            return None
        if c[0] == "stop":
            need(len(c) == 3, "a stop has a charge and a limit")
            self.number(c[1])
            self.number(c[2])
            return None
        if c[0] == "draw":
            need(len(c) == 3, "a draw has two parts")
            self.law(c[2])
            self.fresh(c[1])
            return (c[1], drawn_sort(self.context, c[2]))
        need(c[0] == "set" and len(c) == 3, "no command")
        local = [s for x, s in self.scope if x == c[1]]
        need(local and local[-1][0] == "vector" and local[-1][2] == "any", "no state")
        self.vector(c[2], local[-1][1])
        return None

    def commands(self, body):
        inner = self
        for c in body:
            named = inner.command(c)
            if named:
                inner = inner.inside(*named)

    def process(self, p):
        need(isinstance(p, tuple) and len(p) >= 2 and p[0] == "process", "no process")
        inner = self
        for state in p[1]:
            need(isinstance(state, tuple) and len(state) == 3, "a state has three parts")
            name, dimension, start = state
            self.count(dimension)
            self.vector(start, dimension)
            inner.fresh(name)
            inner = inner.inside(name, ("vector", dimension, "any"))
        need(all(c[0] != "stop" for c in p[2:]), "there is no loop to stop")
        inner.commands(p[2:])

    def goal(self, g):
        need(isinstance(g, tuple) and g, "no goal")
        if g[0] == "every":
            need(len(g) == 4 and sides(g) is not None, "no relation")
            need(g[2] == "record" or isinstance(g[2], tuple) and g[2][0] in ("index", "real", "vector"), "no such sort")
            self.fresh(g[1])
            self.check_sort(g[2])
            self.inside(g[1], g[2]).goal(g[3])
        elif g[0] == "if":
            need(len(g) == 3 and (g[1][0] in ("minimises", "private") or sides(g[1])) and sides(g[2]), "no relation")
            self.goal(g[1])
            self.goal(g[2])
        elif g[0] == "both":
            need(len(g) > 2 and all(h[0] != "both" for h in g[1:]), "not several goals")
            for h in g[1:]:
                self.goal(h)
        elif g[0] in ("<=", "="):
            need(len(g) == 3, "a relation has two sides")
            self.number(g[1])
            self.number(g[2])
        elif g[0] == "minimises":
            s = self.sort(g[1])
            need(len(g) == 3 and is_function(s), "no function")
            self.vector(g[2], s[1])
        elif g[0] == "moves":
            need(len(g) == 4, "a sensitivity has three parts")
            self.data(g[1])
            if not self.is_vector(g[2]):
                self.number(g[2])
            self.number(g[3])
        elif g[0] == "keeps":
            need(len(g) == 4 and isinstance(g[2], tuple) and g[2][0] == "select", "no selection")
            self.data(g[1])
            self.command(g[2])
            self.inside(g[2][2], ("index", g[2][3])).number(g[3])
        elif g[0] == "events":
            need(len(g) == 6 and sides(g[5]), "no relation between probabilities")
            _, data, subject, p, q, inside = g
            self.data(data)
            self.subject(subject)
            self.fresh(p)
            here = self.inside(p, ("real", "nonnegative"))
            here.fresh(q)
            here = here.inside(q, ("real", "nonnegative"))
            need(not any(self.context.reads(t, data) for t in hypotheses(inside)), "the relation reads the data")
            here.goal(inside)
        else:
            need(g[0] == "private" and len(g) == 4, "no goal")
            self.data(g[1])
            self.notion(g[2])
            self.subject(g[3])

    def data(self, name):
        s = self.sort(name)
        need(isinstance(s, tuple) and s[0] == "dataset", f"{name} is no data set")
        for item in self.context.items:
            read = item[0] == "assume" and any(self.context.reads(t, name) for t in hypotheses(item[1]))
            need(not read, "a hypothesis reads the data")


def is_function(s):
    return isinstance(s, tuple) and s[0] in ("function", "risk")


def hypotheses(g):
    """The terms of a relation and of what it is under."""
    if g[0] == "every":
        return hypotheses(g[3])
    return hypotheses(g[1]) + hypotheses(g[2]) if g[0] == "if" else g[1:]


def sides(g):
    """The two sides of a relation, for every value of what varies in it and under hypotheses; None of another goal."""
    while g[0] in ("every", "if"):
        g = g[-1]
    return g[1:] if g[0] in ("<=", "=") and len(g) == 3 else None


def drawn_sort(context, law):
    if is_name(law):
        s = context.sort(law)
        need(isinstance(s, tuple) and s[0] == "set-law", f"{law} is no law")
        return ("outcome", law)
    if isinstance(law, tuple) and law[0] in ("normal", "laplace") and len(law) == 3:
        return ("vector", law[1], "any")
    if isinstance(law, tuple) and law[0] in ("normal", "laplace") and len(law) == 2:
        return ("real", "any")
    if isinstance(law, tuple) and law[0] == "weighted" and len(law) == 4:
        return ("index", law[2])
    need(isinstance(law, tuple) and law[0] == "end" and len(law) == 2, f"{law} is no law")
    states = context.process(law[1])[1]
    need(states, "a process without states")
    return ("vector", states[0][1], "any")


def bound_sort(context, head, of):
    if head in ("sum", "vec", "weighted"):
        return ("index", of)
    if head == "sup":
        return ("index", of[1])
    if head == "total":
        s = context.sort(of)
        need(isinstance(s, tuple) and s[0] == "dataset", f"{of} is no data set")
        return "record"
    return drawn_sort(context, of)


@functools.lru_cache(maxsize=1 << 12)
def extended(context, item):
    kinds = Kinds(context)
    need(isinstance(item, tuple) and item, "no item")
    if item[0] != "assume":
        kinds.fresh(item[1])
    if item[0] == "var":
        need(len(item) == 3, "a variable has a sort")
        kinds.check_sort(item[2])
    elif item[0] == "assume":
        need(len(item) == 2 and (item[1][0] == "minimises" or sides(item[1])), "no hypothesis")
        kinds.goal(item[1])
    elif item[0] == "define":
        need(len(item) == 4, "a definition has parameters and a body")
        for p in item[2]:
            need(isinstance(p, tuple) and len(p) == 2, "a parameter has a sort")
            kinds.fresh(p[0])
            Kinds(context).check_sort(p[1])
            kinds = kinds.inside(*p)
            kinds.takes(p[1], p[0])
        kinds.number(item[3])
    else:
        need(item[0] == "named" and len(item) == 3, "no item")
        kinds.process(item[2])
    return Context(context, item)


def own(context, scope, x, body):
    """A binder's variable and body, under a name that the context has not: a definition behind a variable of that name may
    mention it, and stand in one before it that binds the name."""
    if x not in context.named:
        return x, body
    taken = {name for name, _ in scope}
    y = "~" + x
    while y in taken or y in free(body):
        y = "~" + y
    return y, put(body, x, y)


def sign(context, scope, t):
    go = lambda x: sign(context, scope, x)
    if is_number(t):
        return POSITIVE if t > 0 else NONNEGATIVE if t == 0 else ANY
    if is_name(t):
        s = context.sort(t, scope)
        if s == "count":
            return POSITIVE
        if isinstance(s, tuple) and s[0] == "index":
            return NONNEGATIVE
        return SIGNS[s[1]] if isinstance(s, tuple) and s[0] == "real" else ANY
    if is_binder(t):
        head, x, of, body = t
        if head == "sup":
            return NONNEGATIVE
        if head in ("vec", "weighted"):
            return ANY
        x, body = own(context, scope, x, body)
        inner = sign(context, tuple(scope) + ((x, bound_sort(context, head, of)),), body)
        return min(inner, NONNEGATIVE) if head in ("E", "total") else inner
    op, a = t[0], t[1:]
    if op == "app":
        body = context.unfold(t)
        return go(body) if body is not None else ANY
    if op == "+":
        signs = [go(x) for x in a]
        return max(signs) if min(signs) >= NONNEGATIVE else ANY
    if op == "*":
        return min(go(x) for x in a)
    if op == "/":
        return go(a[0]) if go(a[1]) == POSITIVE else ANY
    if op == "^":
        base, n = go(a[0]), a[1]
        if base == POSITIVE or not is_number(n):
            return base
        if n < 0:
            return ANY
        return NONNEGATIVE if n % 2 == 0 else base
    if op == "sqrt":
        return max(go(a[0]), NONNEGATIVE)
    if op == "log":
        inverse = None
        if isinstance(a[0], tuple) and a[0][0] == "/" and a[0][1] == 1:
            inverse = a[0][2]
        if isinstance(a[0], tuple) and a[0][0] == "^" and a[0][2] == -1:
            inverse = a[0][1]
        if inverse is None or go(inverse) != POSITIVE:
            return ANY
        # A hypothesis speaks of the context, and not of a bound variable that is called like a part of it.
        if any(x in free(inverse) for x, _ in scope):
            return ANY
        given = [i[1] for i in context.items if i[0] == "assume" and i[1][:2] == ("<=", inverse)]
        found = [numeral(hypothesis[2]) for hypothesis in given if bounds(hypothesis)]
        return ANY if not found else POSITIVE if min(found) < 1 else NONNEGATIVE
    if op == "max":
        return max(go(a[0]), go(a[1]))
    if op in ("abs", "norm", "member", "unit", "at-most"):
        return NONNEGATIVE
    if op in ("inclusion", "exp"):
        return POSITIVE
    if op == "at":
        if is_name(a[0]):
            s = context.sort(a[0], scope)
            return SIGNS[s[2]] if isinstance(s, tuple) and s[0] in ("vector", "set-function") else ANY
        if is_binder(a[0]) and a[0][0] == "vec":
            return go(put(a[0][3], a[0][1], a[1]))
    return ANY


def grows(s):
    """Whether functions of that sort grow like polynomials."""
    return is_function(s) or isinstance(s, tuple) and s[0] == "loss"


def floored(context, scope, t, x):
    """Whether t is at least a number > 0 that does not depend on x."""
    return isinstance(t, tuple) and t[0] == "max" and x not in free(t[1]) and sign(context, scope, t[1]) == POSITIVE


def tame(context, scope, t, x):
    """Rejects unless t is of polynomial growth in x."""
    s = context.sort(x, scope)
    if x not in free(t) or (isinstance(s, tuple) and s[0] in ("set", "outcome")) or is_name(t):
        return
    if is_binder(t):
        head, y, of, body = t
        need(head in ("sum", "vec", "total", "E"), "there may be no expectation")
        need(head == "E" or x not in free(of), "a range is random")
        if isinstance(of, tuple) and of[0] in ("normal", "laplace"):
            for spread in of[1:]:
                tame(context, scope, spread, x)
        sort_of_y = bound_sort(context, head, of)
        y, body = own(context, scope, y, body)
        inner = tuple(scope) + ((y, sort_of_y),)
        tame(context, inner, body, x)
        if head == "E":
            # Or what is expected inside could grow in any way.
            moments(context, of)
            tame(context, inner, body, y)
        return
    if t[0] == "app":
        body = context.unfold(t)
        s = context.sort(t[1], scope)
        need(body is not None or grows(s), f"{t[1]} may grow in any way")
        parts = [body] if body is not None else t[2:]
    elif t[0] == "/":
        need(x not in free(t[2]) or floored(context, scope, t[2], x), "a divisor is random")
        parts = [t[1]]
    elif t[0] == "^":
        need(is_number(t[2]) and (t[2] >= 0 or floored(context, scope, t[1], x)), "a divisor is random")
        parts = [t[1]] if t[2] >= 0 else ()
    elif t[0] == "partial":
        need(grows(context.sort(t[1], scope)), "it may grow in any way")
        parts = t[1:]
    elif t[0] == "at-most":
        parts = ()
    elif t[0] == "clip":
        # Not longer than the bound, whatever is clipped.
        parts = [t[2]]
    else:
        need(t[0] in ("+", "-", "*", "at", "max", "abs", "sqrt", "norm"), "there may be no expectation")
        parts = t[1:]
    for part in parts:
        tame(context, scope, part, x)


def moments(context, law):
    """Rejects unless what a law draws has all moments."""
    if is_binder(law) or not (isinstance(law, tuple) and law[0] == "end"):
        return
    _, states, *body = context.process(law[1])
    scope = tuple((name, ("vector", dimension, "any")) for name, dimension, _ in states)
    moments_of(context, scope, body)


def moments_of(context, scope, body):
    for c in body:
        if c[0] == "repeat":
            moments_of(context, scope + ((c[1], ("index", c[2])),), c[3:])
            continue
        if c[0] == "stop":
            continue
        need(c[0] in ("set", "draw", "release", "select"), "a command of unknown moments")
        parts, named = [c[2]] if c[0] in ("set", "release") else [], None
        if c[0] == "select":
            parts = [("vec", c[2], c[3], t) for t in c[4:]]
            named = ("index", c[3])
        elif c[0] == "release" and c[3][0] == "pairwise":
            parts += c[3][1:]
            named = Kinds(context, scope).command(c)[1]
        elif c[0] != "set":
            law = c[-1]
            moments(context, law)
            spread = isinstance(law, tuple) and law[0] in ("normal", "laplace")
            need(spread or c[0] == "draw", "noise of unknown moments")
            parts += law[1:] if spread else ()
            named = drawn_sort(context, law)
        for x, s in scope:
            if s[0] != "index":
                for t in parts:
                    tame(context, scope, t, x)
        if named:
            scope += ((c[1], named),)
