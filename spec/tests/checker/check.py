"""A second checker of proofs, written from spec/formats/trace.md alone.

    python3 check.py TRACE [STATEMENT]
    python3 check.py --many TRACES STATEMENT

reads a trace, carries out every rule, compares with what the trace says, and prints the statement that it has
found proved and the premises used. With a file STATEMENT it also compares with the statement there. Exit code 0:
accepted; 1: rejected, with the reason. With --many a file holds traces with an empty line between them, each is
compared with the statement, and one line for each says whether it was accepted. It shares no code with the kernel;
numbers are exact fractions.
"""

import functools
import itertools
import re
import sys
from fractions import Fraction

ANY, NONNEGATIVE, POSITIVE = 0, 1, 2
SIGNS = {"any": ANY, "nonnegative": NONNEGATIVE, "positive": POSITIVE}
BINDERS = ("sum", "vec", "sup", "mean", "E")
NUMBER = re.compile(r"-?[0-9]+")


class Rejected(Exception):
    pass


def need(condition, why):
    if not condition:
        raise Rejected(why)


# ---------------------------------------------------------------- reading

def parse(line):
    """The nested list on a line: tuples, names as strings, whole numbers as fractions."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", line):
        if token == "(":
            stack.append([])
        elif token == ")":
            need(len(stack) > 1, "a bracket closes that was not opened")
            done = tuple(stack.pop())
            stack[-1].append(done)
        elif NUMBER.fullmatch(token):
            stack[-1].append(Fraction(token))
        else:
            stack[-1].append(token)
    need(len(stack) == 1 and len(stack[0]) == 1, "a line is one list")
    return stack[0][0]


def is_number(t):
    return isinstance(t, Fraction)


def is_name(t):
    return isinstance(t, str)


def whole(t):
    need(is_number(t) and t.denominator == 1 and t >= 0, f"{t} is not a natural number")
    return int(t)


# ---------------------------------------------------------------- terms

def is_binder(t):
    return isinstance(t, tuple) and t and t[0] in BINDERS


def arguments(t):
    """The parts of an operation or application that are terms."""
    return t[2:] if t[0] == "app" else t[1:]


@functools.lru_cache(maxsize=1 << 18)
def free(t):
    if is_number(t):
        return frozenset()
    if is_name(t):
        return frozenset([t])
    if is_binder(t):
        return free(t[2]) | (free(t[3]) - {t[1]})
    own = frozenset([t[1]]) if t[0] == "app" else frozenset()
    return own.union(*[free(a) for a in arguments(t)])


COUNTER = itertools.count()


def new_name():
    return f"~{next(COUNTER)}"


def put(t, name, value):
    """value for the free variable name; bound variables give way."""
    if is_number(t):
        return t
    if is_name(t):
        return value if t == name else t
    if is_binder(t):
        head, x, of, body = t
        of = put(of, name, value)
        if x == name:
            return (head, x, of, body)
        if x in free(value):
            y = new_name()
            x, body = y, put(body, x, y)
        return (head, x, of, put(body, name, value))
    if t[0] == "app":
        return ("app", t[1]) + tuple(put(a, name, value) for a in t[2:])
    return (t[0],) + tuple(put(a, name, value) for a in t[1:])


def put_all(t, names, values):
    hidden = [new_name() for _ in names]
    for name, h in zip(names, hidden):
        t = put(t, name, h)
    for h, value in zip(hidden, values):
        t = put(t, h, value)
    return t


@functools.lru_cache(maxsize=1 << 18)
def indexed(t, bound=()):
    """Bound variables as distances to their binders: equal exactly if equal up to bound names."""
    if is_number(t):
        return t
    if is_name(t):
        for i, x in enumerate(reversed(bound)):
            if x == t:
                return ("#", i)
        return t
    if is_binder(t):
        head, x, of, body = t
        return (head, indexed(of, bound), indexed(body, bound + (x,)))
    if t[0] == "app":
        return ("app", t[1]) + tuple(indexed(a, bound) for a in t[2:])
    return (t[0],) + tuple(indexed(a, bound) for a in t[1:])


def same(a, b):
    return indexed(a) == indexed(b)


# ---------------------------------------------------------------- contexts

class Context:
    def __init__(self, base, item):
        self.items = (base.items if base else ()) + ((item,) if item else ())
        self.named = {i[1]: i for i in self.items if i[0] != "assume"}
        self.hash = hash(self.items)

    def __eq__(self, other):
        return self.hash == other.hash and self.items == other.items

    def __hash__(self):
        return self.hash

    def sort(self, name, scope=()):
        for x, s in reversed(scope):
            if x == name:
                return s
        item = self.named.get(name)
        return item[2] if item and item[0] == "var" else None

    def process(self, name):
        item = self.named.get(name)
        need(item and item[0] == "named", f"{name} is not a process")
        return item[2]

    def begins_with(self, other):
        return self.items[: len(other.items)] == other.items

    def unfold(self, t):
        """The body of an applied definition, or None."""
        item = self.named.get(t[1])
        if not item or item[0] != "define":
            return None
        names = [p for p, _ in item[2]]
        need(len(names) == len(t) - 2, f"{t[1]} takes another number of arguments")
        return put_all(item[3], names, t[2:])

    def rests_on(self, t):
        found, queue = set(), list(free(t))
        while queue:
            name = queue.pop()
            if name in found:
                continue
            found.add(name)
            item = self.named.get(name)
            if item and item[0] == "define":
                queue += free(item[3]) - {p for p, _ in item[2]}
            elif item and item[0] == "named":
                for part in process_terms(item[2]):
                    queue += free(part)
        return found

    def reads(self, t, data):
        return data in self.rests_on(t)


def command_terms(c):
    return {"select": c[3:], "release": c[2:], "draw": c[2:], "set": c[1:]}[c[0]]


def process_terms(p):
    _, _, dimension, start, rounds, *body = p
    return [dimension, start, rounds] + [t for c in body for t in command_terms(c)]


# ---------------------------------------------------------------- well-formedness

class Kinds:
    """What terms denote: nat, number, (vector d), (sequence d), (set d), (set-function d), other."""

    def __init__(self, context, scope=()):
        self.context, self.scope = context, tuple(scope)

    def inside(self, name, sort):
        return Kinds(self.context, self.scope + ((name, sort),))

    def sort(self, name):
        return self.context.sort(name, self.scope)

    def fresh(self, name):
        need(is_name(name) and name[0].isalpha(), f"{name} is not a name")
        need(not set(name) & set("$?%~ "), f"{name} is not a name")
        need(self.sort(name) is None and name not in self.context.named, f"{name} is taken")

    def count(self, t):
        need(is_name(t) and self.context.sort(t) == "count", f"{t} is not a count")

    def number(self, t):
        need(self.kind(t) in ("nat", "number"), f"{t} is not a number")

    def index(self, j, bound):
        s = self.sort(j) if is_name(j) else None
        need(isinstance(s, tuple) and s[0] == "index" and same(s[1], bound), f"{j} is no index")

    def vector(self, t, d):
        kind = self.kind(t)
        need(isinstance(kind, tuple) and kind[0] == "vector" and same(kind[1], d), f"{t} is no vector")

    def kind(self, t):
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
            return "other"
        need(isinstance(t, tuple) and len(t) >= 2, f"{t} is no term")
        if is_binder(t):
            return self.bound(t)
        if t[0] == "app":
            return self.applied(t)
        return self.operation(t[0], t[1:])

    def applied(self, t):
        s = self.sort(t[1])
        if isinstance(s, tuple) and s[0] == "function":
            need(len(t) == 3, "a function takes one argument")
            self.vector(t[2], s[1])
            return "number"
        item = self.context.named.get(t[1])
        need(item and item[0] == "define" and len(item[2]) == len(t) - 2, f"{t[1]} cannot be applied")
        for (_, s), a in zip(item[2], t[2:]):
            if s[0] == "index":
                self.index(a, s[1])
            elif s == ("real", "any"):
                self.number(a)
            elif s[0] == "vector" and s[2] == "any":
                self.vector(a, s[1])
            else:
                need(s[0] == "set" and self.kind(a) == ("set", s[1]), f"{a} cannot be an argument")
        return "number"

    def operation(self, op, a):
        n = len(a)
        if op in ("+", "*"):
            need(n >= 2, "too few arguments")
            for x in a:
                self.number(x)
            return "nat" if all(self.kind(x) == "nat" for x in a) else "number"
        if op in ("-", "/", "max", "^", "sqrt", "log", "abs"):
            need(n == (1 if op in ("sqrt", "log", "abs") else 2), "a wrong number of arguments")
            for x in a:
                self.number(x)
            need(op != "^" or is_number(a[1]), "the power is not written out")
            return "number"
        if op == "at":
            need(n == 2, "a wrong number of arguments")
            kind = self.kind(a[0])
            need(isinstance(kind, tuple), f"{a[0]} has no entries")
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
            need(isinstance(s, tuple) and s[0] == ("function" if n == 3 else "loss"), "no derivative")
            need(n == 3 or (is_name(a[2]) and self.sort(a[2]) == "record"), f"{a[2]} is no record")
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
            need(isinstance(kind, tuple) and kind[0] == "set", f"{a[1]} is no set")
            self.index(a[0], kind[1])
            return "number"
        if op == "inclusion":
            need(n == 2 and is_name(a[1]), "a wrong number of arguments")
            s = self.context.sort(a[1])
            need(isinstance(s, tuple) and s[0] == "set-law", f"{a[1]} is no law of a set")
            self.index(a[0], s[1])
            return "number"
        raise Rejected(f"{op} is no operation")

    def bound(self, t):
        need(len(t) == 4 and is_name(t[1]), "a binder has a name, a range and a body")
        head, x, of, body = t
        need(x not in self.context.named, f"{x} has a meaning already")
        if head in ("sum", "vec"):
            self.count(of)
        elif head == "sup":
            need(isinstance(of, tuple) and of[0] == "except" and len(of) == 3, "no range")
            self.count(of[1])
            self.index(of[2], of[1])
        elif head == "E":
            self.law(of)
        self.inside(x, bound_sort(self.context, head, of)).number(body)
        return ("vector", of) if head == "vec" else "number"

    def law(self, law):
        if isinstance(law, tuple) and law[0] == "normal":
            need(len(law) == 3, "a Gaussian has a dimension and a variance")
            self.count(law[1])
            self.number(law[2])
            need(sign(self.context, self.scope, law[2]) >= NONNEGATIVE, "the variance may be negative")
        else:
            drawn_sort(self.context, law)

    def check_sort(self, s):
        if s in ("count", "record"):
            return
        need(isinstance(s, tuple) and len(s) >= 2, f"{s} is no sort")
        shapes = {"index": 2, "real": 2, "vector": 3, "sequence": 2, "loss": 3, "function": 3,
                  "dataset": 2, "set-law": 2, "set": 2, "set-function": 3}
        need(shapes.get(s[0]) == len(s), f"{s} is no sort")
        if s[0] in ("real", "vector", "set-function"):
            need(s[-1] in SIGNS, f"{s[-1]} is no sign")
        if s[0] != "real":
            self.count(s[1])
        if s[0] in ("loss", "function"):
            need(self.context.sort(s[2]) == ("vector", s[1], "positive"), f"{s[2]} are no constants")

    def command(self, c):
        """Checks a command; the variable that it names with its sort, or None."""
        need(isinstance(c, tuple) and c, "no command")
        if c[0] == "select":
            need(len(c) == 7, "a selection has six parts")
            _, name, index, over, query, scale, divisor = c
            self.count(over)
            self.fresh(index)
            inner = self.inside(index, ("index", over))
            for t in (query, scale, divisor):
                inner.number(t)
            self.fresh(name)
            return (name, ("index", over))
        if c[0] == "release":
            need(len(c) == 4, "a release has three parts")
            self.number(c[2])
            self.number(c[3])
            self.fresh(c[1])
            return (c[1], ("real", "any"))
        if c[0] == "draw":
            need(len(c) == 3, "a draw has two parts")
            self.law(c[2])
            self.fresh(c[1])
            return (c[1], drawn_sort(self.context, c[2]))
        need(c[0] == "set" and len(c) == 2, "no command")
        return None

    def process(self, p):
        need(isinstance(p, tuple) and len(p) >= 5 and p[0] == "process", "no process")
        _, state, dimension, start, rounds, *body = p
        self.count(dimension)
        self.count(rounds)
        self.vector(start, dimension)
        self.fresh(state)
        inner = self.inside(state, ("vector", dimension, "any"))
        for c in body:
            named = inner.command(c)
            if c[0] == "set":
                inner.vector(c[1], dimension)
            if named:
                inner = inner.inside(*named)

    def goal(self, g):
        need(isinstance(g, tuple) and g, "no goal")
        if g[0] in ("<=", "="):
            need(len(g) == 3, "a relation has two sides")
            self.number(g[1])
            self.number(g[2])
        elif g[0] == "minimises":
            s = self.sort(g[1])
            need(len(g) == 3 and isinstance(s, tuple) and s[0] == "function", "no function")
            self.vector(g[2], s[1])
        elif g[0] == "moves":
            need(len(g) == 4, "a sensitivity has three parts")
            self.data(g[1])
            self.number(g[2])
            self.number(g[3])
        else:
            need(g[0] == "private" and len(g) == 4, "no goal")
            self.data(g[1])
            lengths = {"pure": 2, "zcdp": 2, "approximate": 3}
            need(isinstance(g[2], tuple) and lengths.get(g[2][0]) == len(g[2]), "no notion")
            for t in g[2][1:]:
                self.number(t)
            if isinstance(g[3], tuple) and g[3][0] in ("transcript", "end"):
                need(len(g[3]) == 2, "no mechanism")
                self.context.process(g[3][1])
            else:
                need(isinstance(g[3], tuple) and g[3][0] in ("select", "release", "draw", "set"), "no mechanism")
                self.command(g[3])

    def data(self, name):
        s = self.sort(name)
        need(isinstance(s, tuple) and s[0] == "dataset", f"{name} is no data set")


def drawn_sort(context, law):
    if is_name(law):
        s = context.sort(law)
        need(isinstance(s, tuple) and s[0] == "set-law", f"{law} is no law")
        return ("set", s[1])
    if isinstance(law, tuple) and law[0] == "normal" and len(law) == 3:
        return ("vector", law[1], "any")
    need(isinstance(law, tuple) and law[0] == "run" and len(law) == 2, f"{law} is no law")
    return ("sequence", context.process(law[1])[2])


def bound_sort(context, head, of):
    if head in ("sum", "vec"):
        return ("index", of)
    if head == "sup":
        return ("index", of[1])
    if head == "mean":
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
        need(len(item) == 2 and item[1][0] in ("<=", "=", "minimises"), "no hypothesis")
        kinds.goal(item[1])
        for t in item[1][1:]:
            for x in context.rests_on(t):
                s = context.sort(x)
                need(not (isinstance(s, tuple) and s[0] == "dataset"), "a hypothesis reads the data")
    elif item[0] == "define":
        need(len(item) == 4, "a definition has parameters and a body")
        for p in item[2]:
            need(isinstance(p, tuple) and len(p) == 2, "a parameter has a sort")
            kinds.fresh(p[0])
            kinds.check_sort(p[1])
            kinds = kinds.inside(*p)
        kinds.number(item[3])
    else:
        need(item[0] == "named" and len(item) == 3, "no item")
        kinds.process(item[2])
    return Context(context, item)


# ---------------------------------------------------------------- signs

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
        if head == "vec":
            return ANY
        inner = sign(context, tuple(scope) + ((x, bound_sort(context, head, of)),), body)
        return min(inner, NONNEGATIVE) if head == "E" else inner
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
        if base == POSITIVE:
            return POSITIVE
        if n < 0:
            return ANY
        return NONNEGATIVE if n % 2 == 0 else base
    if op == "sqrt":
        return go(a[0])
    if op == "log":
        inverse = None
        if isinstance(a[0], tuple) and a[0][0] == "/" and a[0][1] == 1:
            inverse = a[0][2]
        if isinstance(a[0], tuple) and a[0][0] == "^" and a[0][2] == -1:
            inverse = a[0][1]
        known = inverse is not None and ("assume", ("<=", inverse, Fraction(1))) in context.items
        return NONNEGATIVE if known and go(inverse) == POSITIVE else ANY
    if op == "max":
        return max(go(a[0]), go(a[1]))
    if op in ("abs", "member", "unit"):
        return NONNEGATIVE
    if op == "inclusion":
        return POSITIVE
    if op == "at":
        if is_name(a[0]):
            s = context.sort(a[0], scope)
            return SIGNS[s[2]] if isinstance(s, tuple) and s[0] in ("vector", "set-function") else ANY
        if is_binder(a[0]) and a[0][0] == "vec":
            return go(put(a[0][3], a[0][1], a[1]))
    return ANY


# ---------------------------------------------------------------- growth

def tame(context, scope, t, x):
    """Rejects unless t is of polynomial growth in x."""
    s = context.sort(x, scope)
    if x not in free(t) or (isinstance(s, tuple) and s[0] == "set") or is_name(t):
        return
    if is_binder(t):
        head, y, of, body = t
        need(head in ("sum", "vec", "E"), "there may be no expectation")
        need(head == "E" or x not in free(of), "a range is random")
        if isinstance(of, tuple) and of[0] == "normal":
            tame(context, scope, of[1], x)
            tame(context, scope, of[2], x)
        tame(context, tuple(scope) + ((y, bound_sort(context, head, of)),), body, x)
        return
    if t[0] == "app":
        body = context.unfold(t)
        parts = [body] if body is not None else t[2:]
    elif t[0] == "/":
        need(x not in free(t[2]), "a divisor is random")
        parts = [t[1]]
    elif t[0] == "^":
        need(t[2] >= 0, "a divisor is random")
        parts = [t[1]]
    elif t[0] == "partial":
        need(context.sort(t[1], scope)[0] == "function", "a loss may grow in any way")
        parts = t[1:]
    else:
        need(t[0] in ("+", "-", "*", "at", "max", "abs"), "there may be no expectation")
        parts = t[1:]
    for part in parts:
        tame(context, scope, part, x)


def rounds(context, name):
    """The draws and the assignment of a process whose states have all moments."""
    _, state, dimension, _, _, *body = context.process(name)
    need(body and body[-1][0] == "set" and all(c[0] == "draw" for c in body[:-1]), f"{name} does more than draw")
    draws, value = [(c[1], c[2]) for c in body[:-1]], body[-1][1]
    scope = ((state, ("vector", dimension, "any")),)
    scope += tuple((x, drawn_sort(context, law)) for x, law in draws)
    tame(context, scope, value, state)
    for x, law in draws:
        tame(context, scope, value, x)
        need(state not in free(law), "a law depends on the state")
    return draws, value


# ---------------------------------------------------------------- normal forms

class Normal:
    """Polynomials: {monomial: coefficient}, a monomial a frozenset of (atom, power). Atoms are terms whose bound
    variables are distances to their binders, so that equal atoms are equal tuples; `see` recovers a term."""

    def __init__(self, context):
        self.context, self.scope = context, []
        self.terms = {}

    def atom(self, t):
        key = indexed(t)
        self.terms.setdefault(key, t)
        return {frozenset([(key, 1)]): Fraction(1)}

    def see(self, key):
        return self.terms[key]

    def sign(self, t):
        return sign(self.context, tuple(self.scope), t)

    @staticmethod
    def plus(a, b, factor=1):
        out = dict(a)
        for m, c in b.items():
            out[m] = out.get(m, 0) + factor * c
            if out[m] == 0:
                del out[m]
        return out

    def times(self, a, b):
        out = {}
        for (m, c), (n, d) in itertools.product(a.items(), b.items()):
            powers = dict(m)
            for atom, e in n:
                powers[atom] = powers.get(atom, 0) + e
            out = self.plus(out, self.reduced(powers), c * d)
        return out

    def reduced(self, powers):
        plain, factors = {}, []
        for atom, e in powers.items():
            head = atom[0] if isinstance(atom, tuple) else None
            if head == "sqrt" and e not in (0, 1):
                inside = self.number(self.see(atom)[1])
                factors.append(self.power(inside, e // 2))
                if e % 2:
                    plain[atom] = 1
            elif head == "member" and e > 1:
                plain[atom] = 1
            elif e != 0:
                plain[atom] = e
        out = {frozenset(plain.items()): Fraction(1)}
        for f in factors:
            out = self.times(out, f)
        return out

    def power(self, p, n):
        out = {frozenset(): Fraction(1)}
        if n >= 0:
            for _ in range(n):
                out = self.times(out, p)
            return out
        if len(p) == 1:
            (m, c), = p.items()
            for atom, _ in m:
                need(self.sign(self.see(atom)) == POSITIVE, "a divisor is not plainly positive")
            inverse = {k: v / c for k, v in self.reduced({a: -e for a, e in m}).items()}
        else:
            whole_term = self.term(p)
            need(self.sign(whole_term) == POSITIVE, "a divisor is not plainly positive")
            (m, _), = self.atom(whole_term).items()
            (key, _), = m
            inverse = {frozenset([(key, -1)]): Fraction(1)}
        return self.power(inverse, -n)

    def product(self, m, c=Fraction(1)):
        parts = [c] if c != 1 or not m else []
        for atom, e in sorted(m, key=repr):
            t = self.see(atom)
            parts.append(t if e == 1 else ("^", t, Fraction(e)))
        return parts[0] if len(parts) == 1 else ("*",) + tuple(parts)

    def term(self, p):
        parts = [self.product(m, c) for m, c in sorted(p.items(), key=repr_poly)]
        return Fraction(0) if not parts else parts[0] if len(parts) == 1 else ("+",) + tuple(parts)

    def canonical(self, t):
        return self.term(self.number(t))

    def number(self, t):
        if is_number(t):
            return {frozenset(): t} if t else {}
        if is_name(t):
            return self.atom(t)
        if is_binder(t):
            need(t[0] != "vec", "a vector is no number")
            return {"sum": self.sum, "sup": self.sup, "mean": self.mean, "E": self.expect}[t[0]](*t[1:])
        op, a = t[0], t[1:]
        if op == "app":
            body = self.context.unfold(t)
            if body is not None:
                return self.number(body)
            return self.atom(("app", t[1], self.vector(t[2])))
        if op == "+":
            out = {}
            for x in a:
                out = self.plus(out, self.number(x))
            return out
        if op == "-":
            return self.plus(self.number(a[0]), self.number(a[1]), -1)
        if op == "*":
            out = {frozenset(): Fraction(1)}
            for x in a:
                out = self.times(out, self.number(x))
            return out
        if op == "/":
            return self.times(self.number(a[0]), self.power(self.number(a[1]), -1))
        if op == "^":
            need(abs(a[1]) <= 64, "the power is too large")
            return self.power(self.number(a[0]), int(a[1]))
        if op == "sqrt":
            inside = self.canonical(a[0])
            need(max(self.sign(a[0]), self.sign(inside)) >= NONNEGATIVE, "a root of what may be negative")
            return self.atom(("sqrt", inside))
        if op == "log":
            inside = self.canonical(a[0])
            need(self.sign(inside) == POSITIVE, "a logarithm of what may not be positive")
            return self.atom(("log", inside))
        if op in ("max", "abs"):
            return self.atom((op,) + tuple(self.canonical(x) for x in a))
        if op == "at":
            if is_binder(a[0]):
                return self.number(put(a[0][3], a[0][1], a[1]))
            return self.atom(("at", self.vector(a[0]), a[1]))
        if op == "partial":
            return self.atom(("partial", a[0], self.vector(a[1])) + a[2:])
        need(op in ("unit", "member", "inclusion"), f"{op} is no number")
        return self.atom(t)

    def open(self, sort):
        name = new_name()
        self.scope.append((name, sort))
        return name

    def vector(self, t):
        if is_name(t):
            return t
        if t[0] == "at":
            return ("at", t[1], self.canonical(t[2]))
        need(t[0] == "vec", f"{t} is no vector")
        j = self.open(("index", t[2]))
        entries = self.canonical(put(t[3], t[1], j))
        self.scope.pop()
        if isinstance(entries, tuple) and entries[0] == "at" and entries[2] == j and j not in free(entries[1]):
            return entries[1]
        return ("vec", j, t[2], entries)

    def split(self, m, name):
        inside = {(a, e) for a, e in m if name in free(self.see(a))}
        return frozenset(m - inside), frozenset(inside)

    def sum(self, x, bound, body):
        count = self.number(bound)
        k = self.open(("index", bound))
        body = self.number(put(body, x, k))
        self.scope.pop()
        out = {}
        for m, c in body.items():
            outside, inside = self.split(m, k)
            factor = self.atom(("sum", k, bound, self.product(inside))) if inside else count
            out = self.plus(out, self.times({outside: Fraction(1)}, factor), c)
        return out

    def sup(self, x, of, body):
        k = self.open(("index", of[1]))
        body = self.number(put(body, x, k))
        self.scope.pop()
        if len(body) == 1:
            (m, c), = body.items()
            outside, inside = self.split(m, k)
            if c > 0 and self.sign(self.product(outside, c)) >= NONNEGATIVE:
                rest = self.atom(("sup", k, of, self.product(inside)))
                return self.times({outside: c}, rest)
        return self.atom(("sup", k, of, self.term(body)))

    def mean(self, x, of, body):
        d = self.open("record")
        body = self.canonical(put(body, x, d))
        self.scope.pop()
        return self.atom(("mean", d, of, body))

    def expect(self, x, law, body):
        if isinstance(law, tuple) and law[0] == "normal":
            law = ("normal", law[1], self.canonical(law[2]))
        if isinstance(law, tuple) and law[0] == "run":
            rounds(self.context, law[1])
        drawn = self.open(drawn_sort(self.context, law))
        body = put(body, x, drawn)
        tame(self.context, tuple(self.scope), body, drawn)
        body = self.number(body)
        self.scope.pop()
        out = {}
        for m, c in body.items():
            outside, inside = self.split(m, drawn)
            moment = self.moment(drawn, law, inside)
            out = self.plus(out, self.times({outside: Fraction(1)}, moment), c)
        return out

    def moment(self, x, law, inside):
        if not inside:
            return {frozenset(): Fraction(1)}
        if len(inside) == 1:
            (key, e), = inside
            t = self.see(key)
            if t[0] == "at" and t[1] == x and law[0] == "normal" and e == 1:
                return {}
            if t[0] == "at" and t[1] == x and law[0] == "normal" and e == 2:
                return self.number(law[2])
            if t[0] == "member" and t[2] == x and is_name(law) and e == 1:
                return self.atom(("inclusion", t[1], law))
        for key, e in sorted(inside, key=repr):
            t = self.see(key)
            if is_binder(t) and t[0] == "sum" and e == 1:
                _, k, bound, body = t
                index = new_name()
                body = ("*", self.product(inside - {(key, e)}), put(body, k, index))
                return self.sum(index, bound, ("E", x, law, body))
        return self.atom(("E", x, law, self.product(inside)))


def repr_poly(item):
    return (sorted(map(repr, item[0])), item[1])


def equal(context, a, b):
    n = Normal(context)
    return n.plus(n.number(a), n.number(b), -1) == {}


# ---------------------------------------------------------------- rules

ONE, TWO, ZERO = Fraction(1), Fraction(2), Fraction(0)
HERE = ()


def last_variable(step):
    context, _ = step
    need(context.items and context.items[-1][0] == "var", "the context does not end with a variable")
    outer = Context(None, None)
    for item in context.items[:-1]:
        outer = Context(outer, item)
    return outer, context.items[-1][1], context.items[-1][2]


def relation(goal):
    need(goal[0] in ("<=", "="), "neither an inequality nor an equation")
    return goal


def unused(base, terms):
    while any(base in free(t) for t in terms):
        base += "'"
    return base


def tangent(f, d, x, y):
    j = unused("~j", [x, y])
    slope = ("*", ("partial", f, x, j), ("-", ("at", y, j), ("at", x, j)))
    return ("+", ("app", f, x), ("sum", j, d, slope))


def function_class(context, f):
    s = context.sort(f)
    need(isinstance(s, tuple) and s[0] == "function", f"{f} is of no class")
    return s[1], s[2]


def rule_assume(context, args, steps):
    index = whole(args[0])
    need(index < len(context.items) and context.items[index][0] == "assume", "no hypothesis")
    return context.items[index][1]


def rule_combine(context, args, steps, goal):
    _, left, right = relation(goal)
    n = Normal(context)
    rest = n.plus(n.number(right), n.number(left), -1)
    left_over = list(steps)
    for part in args:
        need(isinstance(part, tuple) and len(part) == 2, "a part is a multiplier and a number of facts")
        multiplier, how_many = part[0], whole(part[1])
        Kinds(context).number(multiplier)
        value, zero = n.number(multiplier), False
        need(how_many <= len(left_over), "more facts are used than given")
        for _ in range(how_many):
            _, fact = left_over.pop(0)
            kind, a, b = relation(fact)
            zero = zero or kind == "="
            value = n.times(value, n.plus(n.number(b), n.number(a), -1))
        if not zero:
            need(goal[0] == "<=", "an equation follows from equations")
            need(sign(context, HERE, multiplier) >= NONNEGATIVE, "a multiplier may be negative")
        rest = n.plus(rest, value, -1)
    need(not left_over, "facts are left over")
    need(rest == {}, "the two sides differ")
    return goal


def rule_larger(context, args, steps):
    a, b, second = args
    need(second in (0, 1), "the first or the second")
    return ("<=", b if second else a, ("max", a, b))


def rule_root_bound(context, args, steps):
    (_, goal), = steps
    need(goal[0] == "<=" and isinstance(goal[2], tuple) and goal[2][0] == "^" and goal[2][2] == 2, "no square")
    for t in (goal[1], goal[2][1]):
        need(sign(context, HERE, t) >= NONNEGATIVE, "a side may be negative")
    return ("<=", ("sqrt", goal[1]), goal[2][1])


def rule_sum_over(context, args, steps):
    (step,) = steps
    outer, k, s = last_variable(step)
    need(isinstance(s, tuple) and s[0] == "index" and outer.items == context.items, "no index")
    head, a, b = relation(step[1])
    return (head, ("sum", k, s[1], a), ("sum", k, s[1], b))


def rule_convex(context, args, steps):
    f, x, y = args
    d, _ = function_class(context, f)
    return ("<=", tangent(f, d, x, y), ("app", f, y))


def rule_smooth(context, args, steps):
    f, x, y = args
    d, constants = function_class(context, f)
    j = unused("~j", [x, y])
    gap = ("^", ("-", ("at", y, j), ("at", x, j)), TWO)
    square = ("sum", j, d, ("/", ("*", ("at", constants, j), gap), TWO))
    return ("<=", ("app", f, y), ("+", tangent(f, d, x, y), square))


def rule_stationary(context, args, steps):
    (_, goal), = steps
    need(goal[0] == "minimises", "no minimiser")
    return ("=", ("partial", goal[1], goal[2], args[0]), ZERO)


def rule_partial_bound(context, args, steps):
    loss, x, record, j = args
    s = context.sort(loss)
    need(isinstance(s, tuple) and s[0] == "loss", f"{loss} is no loss")
    return ("<=", ("abs", ("partial", loss, x, record, j)), ("at", s[2], j))


def rule_inclusion(context, args, steps):
    law, j = args
    return ("<=", ("inclusion", j, law), ONE)


def rule_expected(context, args, steps):
    (step,) = steps
    (law,) = args
    outer, x, s = last_variable(step)
    need(outer.items == context.items and drawn_sort(context, law) == s, "the law draws something else")
    if isinstance(law, tuple) and law[0] == "run":
        rounds(context, law[1])
    head, a, b = relation(step[1])
    for t in (a, b):
        tame(step[0], HERE, t, x)
    return (head, ("E", x, law, a), ("E", x, law, b))


def rule_tower(context, args, steps):
    (step,) = steps
    process, value, sequence, k = args
    outer, state, s = last_variable(step)
    _, own, dimension, _, bound, *_ = outer.process(process)
    need(state == own and s == ("vector", dimension, "any"), "the last variable is not the state")
    need(step[1][0] == "<=", "no inequality")
    _, left, right = step[1]
    draws, assigned = rounds(outer, process)
    need(all(x not in outer.named for x, _ in draws), "the name of a draw has another meaning")
    one_round = put(value, state, assigned)
    for x, law in reversed(draws):
        one_round = ("E", x, law, one_round)
    need(equal(step[0], left, one_round), "the left side is not the value after one round")
    for t in (value, right):
        tame(step[0], HERE, t, state)
    need(context.items == extended(outer, ("var", k, ("index", bound))).items, "another context")

    def over(t, i):
        return ("E", sequence, ("run", process), put(t, state, ("at", sequence, i)))

    return ("<=", over(value, ("+", k, ONE)), over(right, k))


def rule_start(context, args, steps):
    process, value, sequence = args
    _, state, dimension, first, *_ = context.process(process)
    rounds(context, process)
    tame(context, ((state, ("vector", dimension, "any")),), value, state)
    body = put(value, state, ("at", sequence, ZERO))
    return ("=", ("E", sequence, ("run", process), body), put(value, state, first))


def rule_telescope(context, args, steps):
    k, bound, value = args
    following = put(value, k, ("+", k, ONE))
    ends = ("-", put(value, k, bound), put(value, k, ZERO))
    return ("=", ("sum", k, bound, ("-", following, value)), ends)


def rule_jensen(context, args, steps):
    f, k, bound, point = args
    d, _ = function_class(context, f)
    j = unused("~j", [point])
    mean = ("vec", j, d, ("/", ("sum", k, bound, ("at", point, j)), bound))
    return ("<=", ("app", f, mean), ("/", ("sum", k, bound, ("app", f, point)), bound))


def rule_mean_moves(context, args, steps):
    (step,) = steps
    (data,) = args
    outer, record, s = last_variable(step)
    need(s == "record" and outer.items == context.items, "the last variable is no record")
    need(step[1][0] == "<=" and isinstance(step[1][1], tuple) and step[1][1][0] == "abs", "no bound")
    _, (_, body), bound = step[1]
    size = context.sort(data)
    need(isinstance(size, tuple) and size[0] == "dataset", f"{data} is no data set")
    need(record not in free(bound), "the bound depends on the record")
    need(not context.reads(body, data) and not context.reads(bound, data), "more than one record is read")
    return ("moves", data, ("mean", record, data, body), ("/", ("*", TWO, bound), size[1]))


def enough_noise(goal, left, epsilon, scale):
    need(goal[0] == "<=", "no inequality")
    need(same(goal[1], left) and same(goal[2], ("*", epsilon, scale)), "not enough noise")


def rule_laplace(context, args, steps):
    command, epsilon = args
    (_, moves), (_, noise) = steps
    need(command[0] == "release" and moves[0] == "moves", "no release")
    _, _, query, scale = command
    need(same(moves[2], query), "the sensitivity of another query")
    for t in (scale, epsilon):
        need(not context.reads(t, moves[1]), "the noise reads the data")
    need(sign(context, HERE, scale) == POSITIVE, "the scale may not be positive")
    enough_noise(noise, moves[3], epsilon, scale)
    return ("private", moves[1], ("pure", epsilon), command)


def rule_noisy_max(context, args, steps):
    command, epsilon = args
    (_, moves), (_, noise) = steps
    need(command[0] == "select" and moves[0] == "moves", "no selection")
    _, _, k, over, query, scale, divisor = command
    inner = extended(context, ("var", k, ("index", over)))
    data, by = moves[1], moves[3]
    need(same(moves[2], query), "the sensitivity of another query")
    need(k not in free(epsilon), "epsilon depends on the index")
    for t in (scale, divisor, epsilon, by):
        need(not inner.reads(t, data), "the noise reads the data")
    for t in (scale, divisor):
        need(sign(inner, HERE, t) == POSITIVE, "a scale may not be positive")
    other = new_name()
    rest = ("sup", other, ("except", over, k), put(("/", by, divisor), k, other))
    enough_noise(noise, ("+", by, ("*", divisor, rest)), epsilon, scale)
    return ("private", data, ("pure", epsilon), command)


# name: numbers with signs, hypotheses, conclusion; * is the mechanism.
PREMISES = {
    "pure-to-zcdp": (
        "((ε nonnegative))",
        "((private * (pure ε)))",
        "(zcdp (/ (^ ε 2) 2))",
    ),
    "zcdp-to-dp": (
        "((ρ nonnegative) (ε any) (δ positive))",
        "((private * (zcdp ρ)) (<= δ 1) (<= (+ ρ (* 2 (sqrt (* ρ (log (/ 1 δ)))))) ε))",
        "(approximate ε δ)",
    ),
}


def rule_cite(context, args, steps):
    need(args and args[0] in PREMISES, "no such premise")
    numbers, hypotheses, conclusion = map(parse, PREMISES[args[0]])
    values = args[1:]
    need(len(values) == len(numbers) and len(steps) == len(hypotheses), "another number of parts")
    names = [x for x, _ in numbers]
    for (_, s), value in zip(numbers, values):
        need(sign(context, HERE, value) >= SIGNS[s], "a value has another sign")

    def filled(t):
        return (t[0],) + tuple(put_all(x, names, values) for x in t[1:])

    mechanism = None
    for wanted, (_, given) in zip(hypotheses, steps):
        if wanted[0] == "private":
            need(given[0] == "private" and mechanism is None, "no mechanism")
            mechanism, notion = (given[1], given[3]), filled(wanted[2])
            need(len(notion) == len(given[2]) and notion[0] == given[2][0], "another notion")
            need(all(same(a, b) for a, b in zip(notion[1:], given[2][1:])), "another bound")
        else:
            wanted = filled(wanted)
            need(given[0] == wanted[0] and all(same(a, b) for a, b in zip(wanted[1:], given[1:])), "another hypothesis")
    data, subject = mechanism
    for value in values:
        need(not context.reads(value, data), "a value reads the data")
    return ("private", data, filled(conclusion), subject)


def rule_compose(context, args, steps):
    process, data, how_many = args
    need(whole(how_many) == len(steps), "another number of theorems")
    _, state, dimension, start, total, *body = context.process(process)
    for t in (dimension, start, total):
        need(not context.reads(t, data), "the data are read outside of commands")
    need(state not in context.named, "the state's name has another meaning")
    history = [("var", state, ("vector", dimension, "any"))]
    costs, left_over = [], list(steps)
    for command in body:
        if command[0] == "set":
            need(not context.reads(command[1], data), "the state reads the data")
            continue
        need(command[0] in ("select", "release"), "no rule composes over a draw")
        need(left_over, "a command is left")
        of, goal = left_over.pop(0)
        need(of.begins_with(context), "another context")
        own = of.items[len(context.items):]
        past = iter(history)
        need(all(any(item == known for known in past) for item in own), "not uniform over histories")
        need(goal[0] == "private" and goal[1] == data and goal[2][0] == "zcdp", "no zCDP bound")
        need(goal[3] == command, "the bound of another command")
        cost = goal[2][1]
        need(not any(item[1] in free(cost) for item in own), "a bound depends on the history")
        costs.append(cost)
        name, s = Kinds(context, [(x, t) for _, x, t in history]).command(command)
        history.append(("var", name, s))
    need(not left_over and costs, "more theorems than commands, or none")
    once = costs[0] if len(costs) == 1 else ("+",) + tuple(costs)
    return ("private", data, ("zcdp", ("*", total, once)), ("transcript", process))


def rule_forget(context, args, steps):
    (_, goal), = steps
    need(goal[0] == "private" and goal[3][0] == "transcript", "not about a transcript")
    _, data, notion, (_, process) = goal
    _, _, _, start, _, *body = context.process(process)
    need(not context.reads(start, data), "the start reads the data")
    for command in body:
        need(command[0] != "draw", "something is drawn and not released")
        need(command[0] != "set" or not context.reads(command[1], data), "the state reads the data")
    return ("private", data, notion, ("end", process))


# name: the rule, how many arguments (None: it looks itself), how many theorems, and whether these hold in the
# context of the conclusion (with the command's index for the noisy maximum) or in one that is longer.
RULES = {
    "assume": (rule_assume, 1, 0, True),
    "combine": (rule_combine, None, None, True),
    "larger": (rule_larger, 3, 0, True),
    "root-bound": (rule_root_bound, 0, 1, True),
    "sum-over": (rule_sum_over, 0, 1, False),
    "convex": (rule_convex, 3, 0, True),
    "smooth": (rule_smooth, 3, 0, True),
    "stationary": (rule_stationary, 1, 1, True),
    "partial-bound": (rule_partial_bound, 4, 0, True),
    "inclusion": (rule_inclusion, 2, 0, True),
    "expected": (rule_expected, 1, 1, False),
    "tower": (rule_tower, 4, 1, False),
    "start": (rule_start, 3, 0, True),
    "telescope": (rule_telescope, 3, 0, True),
    "jensen": (rule_jensen, 4, 0, True),
    "mean-moves": (rule_mean_moves, 1, 1, False),
    "laplace": (rule_laplace, 2, 2, True),
    "noisy-max": (rule_noisy_max, 2, 2, None),
    "cite": (rule_cite, None, None, True),
    "compose": (rule_compose, 3, None, False),
    "forget": (rule_forget, 0, 1, True),
}


def goals_same(a, b):
    """Equal up to bound names, wherever terms stand."""
    if a[0] != b[0] or len(a) != len(b):
        return False
    if a[0] in ("<=", "=", "minimises", "moves"):
        return all(same(x, y) for x, y in zip(a[1:], b[1:]))
    notions = a[2][0] == b[2][0] and all(same(x, y) for x, y in zip(a[2][1:], b[2][1:]))
    return a[1] == b[1] and a[3] == b[3] and len(a[2]) == len(b[2]) and notions


@functools.lru_cache(maxsize=1 << 12)
def carry_out(context, rule, steps, goal):
    """The conclusion of a rule, or a rejection; the same question has the same answer."""
    need(isinstance(rule, tuple) and rule and rule[0] in RULES, "no such rule")
    function, how_many, theorems, holds_here = RULES[rule[0]]
    args = rule[1:]
    need(how_many is None or len(args) == how_many, "a wrong number of arguments")
    need(theorems is None or len(steps) == theorems, "a wrong number of theorems")
    where = context
    if holds_here is None:
        need(args[0][0] == "select", "no selection")
        where = extended(context, ("var", args[0][2], ("index", args[0][3])))
    if holds_here is not False:
        need(all(where.begins_with(c) for c, _ in steps), "a theorem of another context")
    if rule[0] == "root-bound" or rule[0] == "forget":
        need(steps[0][0].items == context.items, "a theorem of another context")
    found = function(context, args, steps, goal) if rule[0] == "combine" else function(context, args, steps)
    Kinds(context).goal(found)
    Kinds(context).goal(goal)
    need(goals_same(found, goal), f"{rule[0]} concludes something else")
    return found


def check(text):
    """The context, the goal and the premises that a trace proves."""
    lines = [parse(line) for line in text.splitlines() if line.strip()]
    need(lines and lines[0] == ("trace", ONE), "not a trace of version 1")
    contexts, steps, cited = [Context(None, None)], [], []
    for line in lines[1:-1]:
        need(isinstance(line, tuple) and line, "an empty line")
        if line[0] == "context":
            need(len(line) == 4 and whole(line[1]) == len(contexts), "contexts are numbered in order")
            base = whole(line[2])
            need(base < len(contexts), "no such context")
            contexts.append(extended(contexts[base], line[3]))
            continue
        need(line[0] == "step" and len(line) == 6 and whole(line[1]) == len(steps), "steps are numbered in order")
        _, _, where, rule, used, goal = line
        need(whole(where) < len(contexts), "no such context")
        context = contexts[whole(where)]
        need(isinstance(used, tuple) and all(whole(i) < len(steps) for i in used), "no such step")
        given = [steps[whole(i)] for i in used]
        found = carry_out(context, rule, tuple((c, g) for c, g, _ in given), goal)
        premises = set().union(*[p for _, _, p in given])
        if rule[0] == "cite":
            premises.add(rule[1])
            if rule[1] not in cited:
                cited.append(rule[1])
        steps.append((context, found, frozenset(premises)))
    end = lines[-1]
    need(len(end) == 3 and end[0] == "qed" and whole(end[1]) == len(steps) - 1, "the last line is the last step")
    context, goal, premises = steps[-1]
    need(set(end[2]) == premises and len(set(end[2])) == len(end[2]), "other premises were used")
    return context, goal, end[2]


def written(t):
    if isinstance(t, tuple):
        return "(" + " ".join(written(x) for x in t) + ")"
    return str(t)


def judge(text, statement=None):
    """The printed statement and premises of a trace, or why it is rejected."""
    try:
        context, goal, premises = check(text)
        found = ("statement",) + context.items + (goal,)
        if statement is not None:
            wanted = parse(statement.strip())
            need(wanted[:-1] == found[:-1] and goals_same(wanted[-1], goal), "another statement is proved")
        return True, f"{written(found)}\npremises: {' '.join(premises) or 'none'}"
    except Rejected as why:
        return False, f"rejected: {why}"
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, RecursionError, ZeroDivisionError) as why:
        return False, f"rejected: malformed ({type(why).__name__}: {why})"


def content(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(argv):
    if argv[1] == "--many":
        statement = content(argv[3])
        for text in content(argv[2]).split("\n\n"):
            accepted, why = judge(text, statement)
            print("accepted" if accepted else why)
        return 0
    accepted, answer = judge(content(argv[1]), content(argv[2]) if len(argv) > 2 else None)
    print(answer)
    return 0 if accepted else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
