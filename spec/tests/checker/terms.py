"""Nested lists, terms and contexts (spec/formats/trace.md)."""

import functools
import itertools
import re
from fractions import Fraction

ANY, NONNEGATIVE, POSITIVE = 0, 1, 2
SIGNS = {"any": ANY, "nonnegative": NONNEGATIVE, "positive": POSITIVE}
BINDERS = frozenset(["sum", "vec", "sup", "total", "E", "weighted"])
NUMBER = re.compile(r"-?[0-9]+")


class Rejected(Exception):
    pass


def need(condition, why):
    if not condition:
        raise Rejected(why)


class Leaves(dict):
    """What a token is: a name a string, a whole number an `int`."""

    def __missing__(self, token):
        if set(token) & set("$?~"):
            raise Rejected(f"{token} is the name of no trace")
        self[token] = int(token) if NUMBER.fullmatch(token) else token
        return self[token]


LEAVES = Leaves()


@functools.lru_cache(maxsize=1 << 12)
def parse(line):
    """The nested list on a line, as tuples."""
    stack, inner = [], []
    for token in line.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append(inner)
            inner = []
        elif token == ")":
            need(stack, "a bracket closes that was not opened")
            done, inner = tuple(inner), stack.pop()
            inner.append(done)
        else:
            inner.append(LEAVES[token])
    need(not stack and len(inner) == 1, "a line is one list")
    return inner[0]


def is_number(t):
    """Numbers are exact: whole ones are `int`, and only those, the others `Fraction`."""
    return type(t) is int or type(t) is Fraction


def exact(x):
    return x.numerator if x.denominator == 1 else x


def quotient(a, b):
    return exact(Fraction(a) / b)


def is_name(t):
    return type(t) is str


def whole(t):
    need(is_number(t) and t.denominator == 1 and t >= 0, f"{t} is not a natural number")
    return int(t)


def is_binder(t):
    return type(t) is tuple and t and t[0] in BINDERS


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
    """Names of one length, so that as text they are in the order in which they were made: what is sorted by them is sorted
    alike wherever the count stands."""
    return f"~{next(COUNTER):012}"


def other_name(x, *terms):
    """A name like x that no context has and that stands free in none of the terms."""
    while any(x in free(t) for t in terms):
        x = "~" + x
    return x


def put(t, name, value):
    """value for the free variable name; bound variables give way."""
    kind = type(t)
    if kind is not tuple:
        return value if kind is str and t == name else t
    if t[0] in BINDERS:
        head, x, of, body = t
        of = put(of, name, value)
        if x == name:
            return (head, x, of, body)
        if x in free(value):
            y = other_name(x, body, name, value)
            x, body = y, put(body, x, y)
        return (head, x, of, put(body, name, value))
    first = 2 if t[0] == "app" else 1
    return t[:first] + tuple([put(a, name, value) if type(a) is tuple else value if a == name else a for a in t[first:]])


def put_all(t, names, values):
    """Values for free variables, all at once."""
    return put_each(t, dict(zip(names, values)))


def put_each(t, values):
    kind = type(t)
    if kind is not tuple:
        return values.get(t, t) if kind is str else t
    if t[0] in BINDERS:
        head, x, of, body = t
        of = put_each(of, values)
        inside = {name: value for name, value in values.items() if name != x}
        if any(x in free(value) for value in inside.values()):
            y = other_name(x, body, *inside, *inside.values())
            x, body = y, put(body, x, y)
        return (head, x, of, put_each(body, inside))
    first = 2 if t[0] == "app" else 1
    return t[:first] + tuple([put_each(a, values) for a in t[first:]])


@functools.lru_cache(maxsize=1 << 18)
def indexed(t, bound=()):
    """Bound variables as distances to their binders: equal exactly if equal up to bound names."""
    kind = type(t)
    if kind is not tuple:
        return ("#", bound[::-1].index(t)) if kind is str and t in bound else t
    if t[0] in BINDERS:
        head, x, of, body = t
        return (head, indexed(of, bound), indexed(body, bound + (x,)))
    first = 2 if t[0] == "app" else 1
    return t[:first] + tuple([indexed(a, bound) if type(a) is tuple or a in bound else a for a in t[first:]])


def same(a, b):
    return indexed(a) == indexed(b)


def numeral(t):
    """A whole number or a quotient of two, or None."""
    if is_number(t):
        return t
    if isinstance(t, tuple) and t[0] == "/" and is_number(t[1]) and is_number(t[2]) and t[2] > 0:
        return quotient(t[1], t[2])
    return None


def bounds(hypothesis):
    """Whether the sign of a logarithm may rest on a hypothesis: that something is at most a number <= 1."""
    if hypothesis[0] != "<=":
        return False
    bound = numeral(hypothesis[2])
    return bound is not None and bound <= 1


class Context:
    """Items in order; `plain` is the context without hypotheses on which no sign rests, and hence no sort or normal form."""

    def __init__(self, base, item):
        self.base, self.plain = base, self
        if base is None:
            self.items, self.named, self.hash = (), {}, 0
            return
        self.items, self.named = base.items + (item,), base.named
        self.hash = hash((base.hash, item))
        if item[0] != "assume":
            self.named = {**base.named, item[1]: item}
        elif not bounds(item[1]):
            self.plain = base.plain
        if self.plain is self and base.plain is not base:
            self.plain = Context(base.plain, item)

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
            elif item and item[0] == "var" and isinstance(item[2], tuple) and item[2][0] in ("mechanism", "risk"):
                queue.append(item[2][2 if item[2][0] == "mechanism" else 3])
        return found

    def reads(self, t, data):
        return data in self.rests_on(t)


def command_terms(c):
    if c[0] == "repeat":
        return [c[2]] + [t for inner in c[3:] for t in command_terms(inner)]
    return list(c[3:] if c[0] == "select" else c[1:] if c[0] == "stop" else c[2:])


def process_terms(p):
    _, states, *body = p
    return [t for s in states for t in s[1:]] + [t for c in body for t in command_terms(c)]
