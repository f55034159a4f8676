"""The rules, each computing its conclusion."""

import functools

from meaning import Kinds, drawn_sort, extended, numeral, rounds, sign, tame
from normal import Normal, equal
from terms import (
    NONNEGATIVE, POSITIVE, SIGNS, Context, Fraction, free, is_binder, need, new_name, parse, put, put_all, same, whole,
)

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


def size(context, x):
    return ("norm", x) if Kinds(context).is_vector(x) else ("abs", x)


def distance(context, x, y):
    if not Kinds(context).is_vector(x):
        return ("abs", ("-", x, y))
    d = Kinds(context).kind(x)[1]
    Kinds(context).vector(y, d)
    j = unused("~j", [x, y])
    return ("norm", ("vec", j, d, ("-", ("at", x, j), ("at", y, j))))


def rule_gradient_bound(context, args, steps):
    need(len(args) in (3, 4), "a wrong number of arguments")
    loss, x, record, *part = args
    s = context.sort(loss)
    need(isinstance(s, tuple) and s[0] == "loss", f"{loss} is no loss")
    _, d, sense, constants = s
    j = unused("~j", [x])
    slope = ("partial", loss, x, record, j)
    if sense == "whole":
        need(not part, "no parts")
        return ("<=", ("norm", ("vec", j, d, slope)), constants)
    need(len(part) == 1, "a part is missing")
    if sense == "entries":
        return ("<=", ("abs", ("partial", loss, x, record, part[0])), ("at", constants, part[0]))
    need(context.sort(part[0]) == ("outcome", sense[1]), "not a set that the law draws")
    return ("<=", ("norm", ("vec", j, d, ("*", ("member", j, part[0]), slope))), ("at", constants, part[0]))


def rule_triangle(context, args, steps):
    x, y = args
    return ("<=", distance(context, x, y), ("+", size(context, x), size(context, y)))


def rule_clipped(context, args, steps):
    x, bound = args
    need(sign(context, HERE, bound) >= NONNEGATIVE, "a threshold may be negative")
    return ("<=", size(context, ("clip", x, bound)), bound)


def rule_at_most_one(context, args, steps):
    need(isinstance(args[0], tuple) and args[0][0] in ("inclusion", "at-most"), "no probability or comparison")
    return ("<=", args[0], ONE)


def rule_modulus(context, args, steps):
    (_, above), (_, below) = steps
    need(above[0] == below[0] == "<=", "no inequality")
    need(same(below[1], ("-", ZERO, above[1])) and same(below[2], above[2]), "not both sides")
    return ("<=", ("abs", above[1]), above[2])


def rule_tangent(context, args, steps):
    return ("<=", ("+", ONE, args[0]), ("exp", args[0]))


def rule_log_increases(context, args, steps):
    (_, goal), = steps
    need(goal[0] == "<=" and sign(context, HERE, goal[1]) == POSITIVE, "no positive number")
    return ("<=", ("log", goal[1]), ("log", goal[2]))


def rule_log_above(context, args, steps):
    x, y, terms = args
    big, small = numeral(x), numeral(y)
    need(big is not None and small is not None and big > 1, "the series is for numbers > 1")
    z = (big - 1) / (big + 1)
    need(small <= 2 * sum(z ** (2 * i + 1) / (2 * i + 1) for i in range(whole(terms))), "so few terms do not reach it")
    return ("<=", y, ("log", x))


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


def one_loop(context, process):
    rounds(context, process)
    return context.process(process)


def rule_tower(context, args, steps):
    (step,) = steps
    process, value, sequence, k = args
    outer, state, s = last_variable(step)
    _, ((own, dimension, _),), (_, _, bound, *_) = one_loop(outer, process)
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
    _, ((state, dimension, first),), _ = one_loop(context, process)
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


def on_one(context, t, data, record):
    """A query that is affine in sums over the records, on data of one record (None: of no record)."""
    if not context.reads(t, data):
        return t
    if is_binder(t):
        head, x, of, body = t
        if head == "total":
            need(of == data and not context.reads(body, data), "a sum within a sum")
            return ZERO if record is None else put(body, x, record)
        need(head in ("sum", "vec") and not context.reads(of, data), "not affine")
        return (head, x, of, on_one(context, body, data, record))
    need(isinstance(t, tuple), "not affine")
    if t[0] == "app":
        body = context.unfold(t)
        need(body is not None, "not affine")
        return on_one(context, body, data, record)
    reading = [context.reads(a, data) for a in t[1:]]
    affine = t[0] in ("+", "-") or (t[0] == "*" and sum(reading) == 1) or (t[0] in ("/", "at") and not reading[1])
    need(affine, "not affine")
    return (t[0],) + tuple(on_one(context, a, data, record) for a in t[1:])


def rule_one_record(context, args, steps):
    ((here, goal),) = steps
    data, query = args
    s = context.sort(data)
    need(isinstance(s, tuple) and s[0] == "dataset", f"{data} is no data set")
    need(here.begins_with(context), "another context")
    records = here.items[len(context.items):]
    need(all(i[0] == "var" and i[2] == "record" for i in records), "no records")
    names = [i[1] for i in records]
    need(len(names) == (2 if s[2] == "replace-one" else 1), "not the records that differ")
    need(goal[0] == "<=", "no bound")
    one = on_one(here, query, data, names[0])
    other = on_one(here, query, data, names[1] if len(names) == 2 else None)
    need(equal(here, goal[1], distance(here, one, other)), "not the change of the query")
    need(not free(goal[2]) & set(names), "the bound depends on a record")
    need(not context.reads(goal[2], data), "the bound reads the data")
    return ("moves", data, query, goal[2])


def enough_noise(goal, left, epsilon, scale):
    need(goal[0] == "<=", "no inequality")
    need(same(goal[1], left) and same(goal[2], ("*", epsilon, scale)), "not enough noise")


def released(context, command, moves, head):
    """The data, how far the query moves, and the last parameter of the noise."""
    need(command[0] == "release" and moves[0] == "moves", "no release")
    _, _, query, law = command
    need(same(moves[2], query), "the sensitivity of another query")
    need(law[0] == head, "other noise")
    for t in law[1:] + (moves[3],):
        need(not context.reads(t, moves[1]), "the noise reads the data")
    need(sign(context, HERE, law[-1]) == POSITIVE, "the noise may be 0")
    return moves[1], moves[3], law[-1]


def rule_laplace(context, args, steps):
    command, epsilon = args
    (_, moves), (_, noise) = steps
    data, by, scale = released(context, command, moves, "laplace")
    need(not context.reads(epsilon, data), "epsilon reads the data")
    enough_noise(noise, by, epsilon, scale)
    return ("private", data, ("pure", epsilon), command)


def rule_gaussian(context, args, steps):
    (_, moves), = steps
    data, by, variance = released(context, args[0], moves, "normal")
    return ("private", data, ("zcdp", ("/", ("^", by, TWO), ("*", TWO, variance))), args[0])


def rule_argmax(context, args, steps):
    (command,) = args
    (where, moves), = steps
    need(command[0] == "select" and moves[0] == "moves", "no selection")
    _, _, k, over, query, _, divisor = command
    inner = extended(context, ("var", k, ("index", over)))
    need(inner.begins_with(where), "a theorem of another context")
    data, by = moves[1], moves[3]
    need(same(moves[2], query), "the sensitivity of another query")
    for t in (divisor, by):
        need(not inner.reads(t, data), "the bound reads the data")
    need(sign(inner, HERE, divisor) == POSITIVE, "a divisor may not be positive")
    other = new_name()
    rest = ("sup", other, ("except", over, k), put(("/", by, divisor), k, other))
    return ("keeps", data, command, ("+", by, ("*", divisor, rest)))


def rule_shift(context, args, steps):
    (epsilon,) = args
    (first, kept), (second, noise) = steps
    need(kept[0] == "keeps" and context.begins_with(first), "no choice that is kept")
    _, data, command, by = kept
    _, _, k, over, _, scale, _ = command
    inner = extended(context, ("var", k, ("index", over)))
    need(inner.begins_with(second), "a theorem of another context")
    need(k not in free(epsilon), "epsilon depends on the index")
    for t in (scale, epsilon, by):
        need(not inner.reads(t, data), "the noise reads the data")
    need(sign(inner, HERE, scale) == POSITIVE, "a scale may not be positive")
    need(sign(inner, HERE, by) >= NONNEGATIVE, "a move may be negative")
    enough_noise(noise, by, epsilon, scale)
    return ("private", data, ("pure", epsilon), command)


def rule_weaken(context, args, steps):
    (notion,) = args
    (_, goal), *facts = steps
    need(goal[0] == "private", "not about privacy")
    Kinds(context).notion(notion)
    _, data, own, subject = goal
    need(own[0] == notion[0], "another notion")
    for i, (a, b) in enumerate(zip(own[1:], notion[1:])):
        need(not context.reads(b, data), "a number reads the data")
        if same(a, b):
            continue
        need(i > 0 or notion[0] != "renyi", "another order")
        need(facts, "a number is not bounded")
        _, fact = facts.pop(0)
        need(fact[0] == "<=" and same(fact[1], a) and same(fact[2], b), "not the bound of that number")
    need(not facts, "more theorems than numbers")
    return ("private", data, notion, subject)


def rule_renyi(context, args, steps):
    (order,) = args
    (_, goal), = steps
    need(goal[0] == "private" and goal[2][0] == "zcdp", "no zCDP bound")
    need(not context.reads(order, goal[1]), "the order reads the data")
    need(sign(context, HERE, Normal(context).canonical(("-", order, ONE))) == POSITIVE, "an order is above 1")
    return ("private", goal[1], ("renyi", order, ("*", goal[2][1], order)), goal[3])


def rule_call(context, args, steps):
    (command,) = args
    need(command[0] == "call" and command[2][0] == "app", "no call")
    s = context.sort(command[2][1])
    need(isinstance(s, tuple) and s[0] == "mechanism", "no mechanism")
    need(not context.reads(command[2][2], s[2]), "the input reads the data")
    return ("private", s[2], s[3], command)


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


def added(costs):
    """The sum of costs in one notion."""
    head = costs[0][0]
    need(all(c[0] == head for c in costs), "costs in two notions")
    fixed = 1 if head == "renyi" else 0
    need(all(c[1] == costs[0][1] for c in costs) or not fixed, "costs at two orders")
    columns = list(zip(*[c[1:] for c in costs]))
    total = [c[0] if len(c) == 1 else ("+",) + tuple(c) for c in columns[fixed:]]
    return (head,) + costs[0][1:1 + fixed] + tuple(total)


def repeated(cost, index, times):
    fixed = 1 if cost[0] == "renyi" else 0
    need(not fixed or index not in free(cost[1]), "the order changes")
    all_of = [("sum", index, times, t) if index in free(t) else ("*", times, t) for t in cost[1 + fixed:]]
    return cost[:1 + fixed] + tuple(all_of)


class Walk:
    """Commands in order, with what stands before each, and the theorems that are left."""

    def __init__(self, context, data, history, steps):
        self.context, self.data, self.history, self.steps, self.loops = context, data, history, steps, []

    def unread(self, t):
        need(not self.context.reads(t, self.data), "the data are read outside of commands")

    def commands(self, body):
        costs = []
        for c in body:
            if c[0] in ("set", "draw"):
                self.unread(c[2])
            elif c[0] == "repeat":
                self.unread(c[2])
                outside = len(self.history)
                self.history.append(("var", c[1], ("index", c[2])))
                self.loops.append(c[1])
                once = self.commands(c[3:])
                self.loops.pop()
                del self.history[outside:]
                if once:
                    costs.append(repeated(once, c[1], c[2]))
            else:
                costs.append(self.access(c))
            named = Kinds(self.context, [(x, t) for _, x, t in self.history]).command(c)
            if named:
                self.history.append(("var",) + named)
        return added(costs) if costs else None

    def access(self, command):
        need(self.steps, "a command is left")
        of, goal = self.steps.pop(0)
        need(of.begins_with(self.context), "another context")
        own = of.items[len(self.context.items):]
        past = iter(self.history)
        need(all(any(item == known for known in past) for item in own), "not uniform over histories")
        need(goal[0] == "private" and goal[1] == self.data and goal[3] == command, "no bound of the command")
        names = {item[1] for item in own} - set(self.loops)
        need(not any(names & free(t) for t in goal[2][1:]), "a bound depends on the history")
        return goal[2]


def rule_compose(context, args, steps):
    process, data, how_many = args
    need(whole(how_many) == len(steps), "another number of theorems")
    _, states, *body = context.process(process)
    history = []
    walk = Walk(context, data, history, list(steps))
    for name, dimension, start in states:
        walk.unread(dimension)
        walk.unread(start)
        need(name not in context.named, "the state's name has another meaning")
        history.append(("var", name, ("vector", dimension, "any")))
    total = walk.commands(body)
    need(not walk.steps and total, "more theorems than commands, or none")
    return ("private", data, total, ("transcript", process))


def rule_forget(context, args, steps):
    (_, goal), = steps
    need(goal[0] == "private" and goal[3][0] == "transcript", "not about a transcript")
    _, data, notion, (_, process) = goal
    _, states, *body = context.process(process)

    def unread(commands):
        for c in commands:
            need(c[0] not in ("set", "repeat") or not context.reads(c[2], data), "the state reads the data")
            if c[0] == "repeat":
                unread(c[3:])

    need(not any(context.reads(start, data) for _, _, start in states), "the start reads the data")
    unread(body)
    return ("private", data, notion, ("end", process))


# name: the rule, how many arguments (None: it looks itself), how many theorems, and whether these hold in the
# context of the conclusion or, as the rule itself checks, in one that is longer.
RULES = {
    "assume": (rule_assume, 1, 0, True),
    "combine": (rule_combine, None, None, True),
    "larger": (rule_larger, 3, 0, True),
    "root-bound": (rule_root_bound, 0, 1, True),
    "sum-over": (rule_sum_over, 0, 1, False),
    "convex": (rule_convex, 3, 0, True),
    "smooth": (rule_smooth, 3, 0, True),
    "stationary": (rule_stationary, 1, 1, True),
    "gradient-bound": (rule_gradient_bound, None, 0, True),
    "triangle": (rule_triangle, 2, 0, True),
    "clipped": (rule_clipped, 2, 0, True),
    "at-most-one": (rule_at_most_one, 1, 0, True),
    "modulus": (rule_modulus, 0, 2, True),
    "tangent": (rule_tangent, 1, 0, True),
    "log-increases": (rule_log_increases, 0, 1, True),
    "log-above": (rule_log_above, 3, 0, True),
    "expected": (rule_expected, 1, 1, False),
    "tower": (rule_tower, 4, 1, False),
    "start": (rule_start, 3, 0, True),
    "telescope": (rule_telescope, 3, 0, True),
    "jensen": (rule_jensen, 4, 0, True),
    "one-record": (rule_one_record, 2, 1, False),
    "laplace": (rule_laplace, 2, 2, True),
    "gaussian": (rule_gaussian, 1, 1, True),
    "argmax": (rule_argmax, 1, 1, False),
    "shift": (rule_shift, 1, 2, False),
    "weaken": (rule_weaken, 1, None, True),
    "renyi": (rule_renyi, 1, 1, True),
    "call": (rule_call, 1, 0, True),
    "cite": (rule_cite, None, None, True),
    "compose": (rule_compose, 3, None, False),
    "forget": (rule_forget, 0, 1, True),
}


def goals_same(a, b):
    """Equal up to bound names, wherever terms stand."""
    if a[0] != b[0] or len(a) != len(b):
        return False
    if a[0] in ("<=", "=", "minimises", "moves", "keeps"):
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
    if holds_here:
        need(all(context.begins_with(c) for c, _ in steps), "a theorem of another context")
    if rule[0] in ("root-bound", "modulus", "log-increases", "weaken", "renyi", "forget"):
        need(steps[0][0].items == context.items, "a theorem of another context")
    found = function(context, args, steps, goal) if rule[0] == "combine" else function(context, args, steps)
    Kinds(context).goal(found)
    Kinds(context).goal(goal)
    need(goals_same(found, goal), f"{rule[0]} concludes something else")
    return found
