"""The rules, each computing its conclusion."""

import functools

from meaning import Kinds, drawn_sort, extended, rounds, sign, tame
from normal import Normal, equal
from terms import (
    NONNEGATIVE, POSITIVE, SIGNS, Context, Fraction, free, need, new_name, parse, put, put_all, same, whole,
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
