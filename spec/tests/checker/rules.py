"""The rules, each computing its conclusion."""

import functools

from meaning import Kinds, drawn_sort, extended, is_function, moments, sign, tame
from normal import Normal, equal
from terms import (
    NONNEGATIVE, POSITIVE, SIGNS, free, is_binder, is_name, need, new_name, parse, process_terms, put, put_all,
    same, whole,
)

ONE, TWO, ZERO = 1, 2, 0
HERE = ()


def last_variable(step):
    context, _ = step
    need(context.items and context.items[-1][0] == "var", "the context does not end with a variable")
    return context.base, context.items[-1][1], context.items[-1][2]


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
    need(is_function(s), f"{f} is of no class")
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


def rule_root_increases(context, args, steps):
    (_, goal), = steps
    need(goal[0] == "<=", "no inequality")
    for t in goal[1:]:
        need(sign(context, HERE, t) >= NONNEGATIVE, "a side may be negative")


    def root(t):
        square = isinstance(t, tuple) and t[0] == "^" and t[2] == 2
        return t[1] if square and sign(context, HERE, t[1]) >= NONNEGATIVE else ("sqrt", t)

    return ("<=", root(goal[1]), root(goal[2]))


def rule_inverse(context, args, steps):
    need(sign(context, HERE, args[0]) == POSITIVE, "no positive number")
    return ("=", ("*", args[0], ("/", ONE, args[0])), ONE)


def rule_counted(context, args, steps):
    Kinds(context).count(args[0])
    return ("<=", ONE, args[0])


def rule_below(context, args, steps):
    k, = args
    s = context.sort(k) if is_name(k) else None
    need(isinstance(s, tuple) and s[0] == "index", f"{k} is no index")
    return ("<=", ("+", k, ONE), s[1])


def rule_exchange(context, args, steps):
    k, bound, e, other, body = args
    need(k != e and e not in free(bound) and k not in free(other), "a range depends on an index")
    return ("=", ("sum", k, bound, ("sum", e, other, body)), ("sum", e, other, ("sum", k, bound, body)))


def parameters(law):
    """The parameters of the noise of messages."""
    need(isinstance(law, tuple) and law[0] == "pairwise" and len(law) == 7, "no messages")
    return law[1:]


def covariance(law, x, k):
    """Entry k of the covariance of one coordinate of the messages, times x."""
    over, _, own, ends, pairs, shared = law
    e, l = new_name(), new_name()
    inner = ("sum", l, over, ("*", ("at", ("at", ends, e), l), ("at", x, l)))
    common = ("sum", e, pairs, ("*", ("at", ("at", ends, e), k), inner))
    return ("+", ("*", own, ("at", x, k)), ("*", shared, common))


def costs(context, command, data, by, x=None, solved=None):
    """The cost in zCDP of a release with Gaussian noise, and its pair's number; x solves the system of messages."""
    need(command[0] == "release", "no release")
    for t in command[3][1:] + (by,):
        need(not context.reads(t, data), "the noise reads the data")
    if x is None:
        need(command[3][0] == "normal", "other noise")
        v = command[3][-1]
        need(sign(context, HERE, v) == POSITIVE, "the noise may be 0")
        return ("/", ("^", by, TWO), ("*", TWO, v)), ("/", ("^", by, TWO), v)
    law = parameters(command[3])
    over, user, own, _, _, shared = law
    need(not context.reads(x, data), "the solution reads the data")
    for t in (own, shared):
        need(sign(context, HERE, t) >= NONNEGATIVE, "a variance may be negative")
    outer, k, s = last_variable(solved)
    need(context.begins_with(outer) and s == ("index", over), "not for every message")
    need(not any(k in free(t) for t in law + (x,)), "the system varies")
    need(goals_same(solved[1], ("=", covariance(law, x, k), ("unit", k, user))), "x solves another system")
    whole = ("*", ("^", by, TWO), ("at", x, user))
    return ("/", whole, TWO), whole


def moved(context, command, step):
    """The data of a release, and how far its query moves."""
    of, moves = step
    need(context.begins_with(of), "a theorem of another context")
    need(moves[0] == "moves" and same(moves[2], command[2]), "the sensitivity of another query")
    return moves[1], moves[3]


def rule_correlated(context, args, steps):
    command, x = args
    need(command[0] == "release", "no messages")
    data, by = moved(context, command, steps[0])
    return ("private", data, ("zcdp", costs(context, command, data, by, x, steps[1])[0]), command)


def rule_gaussian(context, args, steps):
    (command,) = args
    need(command[0] == "release", "no release")
    data, by = moved(context, command, steps[0])
    return ("private", data, ("zcdp", costs(context, command, data, by)[0]), command)


def rule_gaussian_pair(context, args, steps):
    command, *x = args
    need(len(x) == len(steps) - 1 <= 1 and command[0] == "release", "no release")
    data, by = moved(context, command, steps[0])
    square = costs(context, command, data, by, *x, *steps[1:])[1]
    return ("private", data, ("dominated", ("gaussian", square)), command)


def rule_attained(context, args, steps):
    need(5 <= len(args) == len(steps) + 4, "a wrong number of parts")
    command, notion, least, data, records, *x = args
    of, goal = steps[0]
    need(context.begins_with(of) and goal[0] == "<=" and command[0] == "release", "no distance")
    need(sign(context, HERE, goal[1]) >= NONNEGATIVE, "a distance may be negative")
    need(equal(context, goal[2], two_queries(context, command[2], data, list(records))), "not the distance")
    cost, square = costs(context, command, data, goal[1], *x, *steps[1:])
    rho = notion[1]
    if notion[0] != "zcdp":
        need(notion[0] == "dominated" and rho[0] == "gaussian", "no exact number")
        cost, rho = square, rho[1]
    need(equal(context, cost, least), "not that number")
    need(not context.reads(rho, data) and not context.reads(least, data), "the number reads the data")
    return ("if", ("private", data, notion, command), ("<=", least, rho))


def rule_together(context, args, steps):
    ((_, goal),) = steps
    need(goal[0] == "private" and goal[2][0] == "dominated", "no pair")

    def numbers(p):
        need(isinstance(p, tuple) and p[0] in ("gaussian", "+", "*", "sum"), "no Gaussian pair")
        if p[0] == "gaussian":
            return p[1]
        if p[0] == "sum":
            return p[:3] + (numbers(p[3]),)
        return ("+",) + tuple(map(numbers, p[1:])) if p[0] == "+" else ("*", p[1], numbers(p[2]))

    return ("private", goal[1], ("dominated", ("gaussian", numbers(goal[2][1]))), goal[3])


def rule_events(context, args, steps):
    (_, goal), (here, inside) = steps
    need(goal[0] == "private" and here.begins_with(context), "not about privacy")
    added_items = here.items[len(context.items):]
    need(len(added_items) == 5 and all(i[0] == "var" and i[2] == ("real", "nonnegative") for i in added_items[:2]),
         "no two probabilities")
    p, q = added_items[0][1], added_items[1][1]
    need(all(i[0] == "assume" for i in added_items[2:]), "no three hypotheses")
    one, other, told = (i[1] for i in added_items[2:])
    need(one == ("<=", p, ONE) and other == ("<=", q, ONE), "no probabilities")
    notion = goal[2]
    if notion[0] in ("renyi", "zcdp"):
        names = []
        while told[0] == "every":
            need(told[2] == ("real", "positive") and told[1] not in names, "not for every number > 0")
            names.append(told[1])
            told = told[3]
        need(len(names) == (2 if notion[0] == "renyi" else 3), "not for every u, v")
        *above, u, v = names
        if notion[0] == "renyi":
            _, order, tau = notion
            need(sign(context, HERE, Normal(context).canonical(("-", order, ONE))) == POSITIVE, "an order is above 1")
        else:
            order = ("+", ONE, above[0])
            tau = ("*", notion[1], order)
        need(not any(set(names) & free(t) for t in goal[2][1:]), "a name is taken")
        less = ("-", order, ONE)

        def tangent_at(p, q, u):
            power = lambda e: ("exp", ("*", e, ("log", u)))
            return ("-", ("*", order, power(less), p), ("*", less, power(order), q))

        left = ("+", tangent_at(p, q, u), tangent_at(("-", ONE, p), ("-", ONE, q), v))
        given, wanted = told, ("<=", left, ("exp", ("*", less, tau)))
    else:
        need(notion[0] in ("pure", "approximate"), "no bound on events")
        bound = ("*", ("exp", notion[1]), q)
        given, wanted = told, ("<=", p, bound if notion[0] == "pure" else ("+", bound, notion[2]))
    need(goals_same(given, wanted), "not what the bound says of an event")
    return ("events", goal[1], goal[3], p, q, inside)


def rule_limit(context, args, steps):
    (step,) = steps
    outer, y, s = last_variable(step)
    goal = step[1]
    forms = {("real", "positive"): "*", "count": "/"}
    need(outer.items == context.items and s in forms, "neither for every real y > 0 nor for every integer y of at least 1")
    need(goal[0] == "<=" and isinstance(goal[2], tuple) and goal[2][0] == "+" and len(goal[2]) == 3, "no two parts")
    _, b, rest = goal[2]
    small = isinstance(rest, tuple) and rest[0] == forms[s] and len(rest) == 3 and rest[2] == y
    need(small, "neither a multiple of a real y nor a quotient by an integer y")
    need(not any(y in free(t) for t in (goal[1], b, rest[1])), "more depends on y")
    return ("<=", goal[1], b)


def rule_solution(context, args, steps):
    ((of, goal),) = steps
    law = parameters(args[0])
    need(len(of.items) >= 2, "no system")
    variable, assumed = of.items[-2:]
    need(context.items == of.items[:-2], "another context")
    need(variable[0] == "var" and assumed[0] == "assume", "no system")
    _, x, s = variable
    over, user, own, _, _, shared = law
    Kinds(context).index(user, over)
    need(s == ("vector", over, "any") and assumed[1][0] == "every", "no system")
    _, k, index, system = assumed[1]
    need(index == ("index", over) and system[0] == "=", "no equation for every message")
    need(same(system[1], covariance(law, x, k)), "another system")
    need(not any(x in free(t) for t in law + (system[2],)), "the system mentions its solution")
    need(not any(k in free(t) for t in law), "the system varies")
    need(sign(context, HERE, own) == POSITIVE and sign(context, HERE, shared) >= NONNEGATIVE, "not positive definite")
    return goal


def rule_largest(context, args, steps):
    (_, one), (_, other) = steps
    need(one[0] == other[0] == "<=" and same(one[2], other[2]), "no two inequalities with one bound")
    return ("<=", ("max", one[1], other[1]), one[2])


def rule_supremum(context, args, steps):
    (step,) = steps
    outer, k, s = last_variable(step)
    need(isinstance(s, tuple) and s[0] == "index" and outer.items == context.items, "no index")
    need(step[1][0] == "<=" and k not in free(step[1][2]), "the bound depends on the index")
    need(sign(context, HERE, step[1][2]) >= NONNEGATIVE, "the bound may be negative")
    return ("<=", ("sup", k, ("except", s[1], args[0]), step[1][1]), step[1][2])


def rule_both(context, args, steps):
    return ("both",) + tuple(goal for _, goal in steps)


def rule_discharge(context, args, steps):
    ((of, goal),) = steps
    need(of.items and context.items == of.items[:-1], "not the context without its last item")
    item = of.items[-1]
    need(item[0] in ("var", "assume"), "nothing to discharge")
    return ("if", item[1], goal) if item[0] == "assume" else ("every", item[1], item[2], goal)


def filled(goal, x, value):
    """A relation with a value for a name."""
    if goal[0] == "every":
        need(goal[1] not in free(value), "the value mentions what varies")
        ranges = goal[2][1:2] if isinstance(goal[2], tuple) and goal[2][0] != "real" else ()
        need(not any(x in free(d) for d in ranges), "a range depends on what varies")
        return goal[:3] + (filled(goal[3], x, value),)
    if goal[0] == "if":
        return ("if", filled(goal[1], x, value), filled(goal[2], x, value))
    need(goal[0] in ("<=", "="), "no relation")
    return (goal[0], put(goal[1], x, value), put(goal[2], x, value))


def value(context, s, t):
    """Rejects what is no value of a sort."""
    kinds = Kinds(context)
    if s == "record":
        kinds.record(t)
    elif s[0] == "index":
        kinds.index(t, s[1])
    elif s[0] == "real":
        kinds.number(t)
        need(sign(context, HERE, t) >= SIGNS[s[1]], "a value has another sign")
    else:
        need(s[0] == "vector" and s[2] == "any", "no value")
        kinds.vector(t, s[1])


def rule_instance(context, args, steps):
    (_, goal), = steps
    need(goal[0] == "every", "it does not hold for every value")
    _, x, s, inside = goal
    value(context, s, args[0])
    return filled(inside, x, args[0])


def rule_induction(context, args, steps):
    (of, start), step = steps
    outer, k, s = last_variable(step)
    need(outer.items == context.items and context.begins_with(of), "another context")
    need(isinstance(s, tuple) and s[0] == "index" and step[1][0] == "if", "no step from an index to the next")
    _, now, after = step[1]
    need(goals_same(start, filled(now, k, ZERO)), "it begins otherwise")
    need(goals_same(after, filled(now, k, ("+", k, ONE))), "something else follows")
    return filled(now, k, s[1])


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


def rule_unclipped(context, args, steps):
    (_, goal), = steps
    need(len(args) < 2 and goal[0] == "<=", "no bound of a size")
    need(isinstance(goal[1], tuple) and goal[1][0] in ("abs", "norm"), "no bound of a size")
    (_, x), bound = goal[1], goal[2]
    parts = [("at", v, *args) if args else v for v in (("clip", x, bound), x)]
    return ("=", *parts)


def rule_at_most_one(context, args, steps):
    need(isinstance(args[0], tuple) and args[0][0] in ("inclusion", "at-most"), "no probability or comparison")
    return ("<=", args[0], ONE)


def rule_tangent(context, args, steps):
    return ("<=", ("+", ONE, args[0]), ("exp", args[0]))


def rule_exp_sum(context, args, steps):
    x, y = args
    return ("=", ("exp", ("+", x, y)), ("*", ("exp", x), ("exp", y)))


def rule_exp_log(context, args, steps):
    need(sign(context, HERE, args[0]) == POSITIVE, "no positive number")
    return ("=", ("exp", ("log", args[0])), args[0])


def rule_telescope(context, args, steps):
    k, bound, t = args
    step = ("-", put(t, k, ("+", k, ONE)), t)
    return ("=", ("sum", k, bound, step), ("-", put(t, k, bound), put(t, k, ZERO)))


def rule_expected(context, args, steps):
    (step,) = steps
    (law,) = args
    outer, x, s = last_variable(step)
    need(outer.items == context.items and drawn_sort(context, law) == s, "the law draws something else")
    moments(context, law)
    head, a, b = relation(step[1])
    for t in (a, b):
        tame(step[0], HERE, t, x)
    return (head, ("E", x, law, a), ("E", x, law, b))


def rule_exponential_moment(context, args, steps):
    (step,) = steps
    law, j, a = args
    outer, x, s = last_variable(step)
    need(outer.items == context.items and drawn_sort(context, law) == s, "the law draws something else")
    need(isinstance(law, tuple) and law[0] == "normal" and len(law) == 3, "not a vector of Gaussian noise")
    head, left, right = relation(step[1])
    linear = ("exp", ("sum", j, law[1], ("*", a, ("at", x, j))))
    need(head == "<=" and x not in free(a) and same(right, linear), "another bound")
    tame(step[0], HERE, left, x)
    squares = ("*", law[2], ("sum", j, law[1], ("^", a, 2)))
    return ("<=", ("E", x, law, left), ("exp", ("/", squares, 2)))


def rule_tail(context, args, steps):
    need(len(args) in (2, 3), "a wrong number of arguments")
    law, t, *index = args
    x = unused("~x", [law, t])
    need(isinstance(law, tuple), "not a law")
    if law[0] == "normal":
        need(not index and sign(context, HERE, t) >= NONNEGATIVE, "not a tail of Gaussian noise")
        deviation, root = ("sqrt", law[-1]), ("sqrt", ("*", 2, t))
        whole = len(law) == 3
        most = ("*", deviation, ("+", ("sqrt", law[1]), root) if whole else root)
        within = ("at-most", ("norm" if whole else "abs", x), most)
    else:
        need(law[0] == "laplace", "not a Laplace law")
        entry = ("at", x, index[0]) if index else x
        within = ("at-most", ("abs", entry), ("*", law[-1], t))
    return ("<=", ("-", ONE, ("exp", ("-", ZERO, t))), ("E", x, law, within))


def rule_weighted(context, args, steps):
    law, value = args
    need(is_binder(law) and law[0] == "weighted", "not a draw by weights")
    _, k, bound, weight = law
    mean = ("*", ("sum", k, bound, weight), ("E", k, law, value))
    return ("=", mean, ("sum", k, bound, ("*", weight, value)))


def rule_added(context, args, steps):
    d, v, w, z, value = args
    need(is_name(z) and z not in free(d) and z not in free(w), "they are not independent")
    tame(extended(context, ("var", z, ("vector", d, "any"))), HERE, value, z)
    j, y = unused("~j", [d, value]), unused("~y", [d, w, value])
    total = ("vec", j, d, ("+", ("at", z, j), ("at", y, j)))
    twice = ("E", z, ("normal", d, v), ("E", y, ("normal", d, w), put(value, z, total)))
    return ("=", twice, ("E", z, ("normal", d, ("+", v, w)), value))


def rule_density(context, args, steps):
    law, c, t = args
    need(isinstance(law, tuple) and law[0] == "laplace" and len(law) == 2, "not the law of a Laplace number")
    need(sign(context, HERE, law[1]) == POSITIVE, "the noise may be 0")
    need(sign(context, HERE, t) >= NONNEGATIVE, "the width may be negative")
    x = unused("~x", [law, c, t])
    return ("<=", ("E", x, law, ("at-most", ("abs", ("-", x, c)), t)), ("/", t, law[1]))


def rule_cases(context, args, steps):
    (_, one), (_, other) = steps
    need(one[0] == other[0] == "if" and one[1][0] == other[1][0] == "<=", "nothing holds in a case")
    opposite = same(one[1][1], other[1][2]) and same(one[1][2], other[1][1])
    need(opposite or same(other[1][1], ("at-most", one[1][1], one[1][2])) and other[1][2] == ZERO, "not two cases")
    need(goals_same(one[2], other[2]), "two relations")
    return one[2]


def rule_chain(context, args, steps):
    (_, implied), (_, fact) = steps
    need(implied[0] == "if" and goals_same(implied[1], fact), "something else holds")
    return implied[2]


def rule_union(context, args, steps):
    def missed(g):
        if g[0] == "every" and g[2][0] == "index":
            return ("sum", g[1], g[2][1], missed(g[3]))
        need(g[0] == "<=", "only inequalities have a union bound")
        return ("-", ONE, ("at-most", g[1], g[2]))

    ((_, goal),) = steps
    bound = ZERO
    while goal[0] == "if":
        bound = ("+", bound, missed(goal[1]))
        goal = goal[2]
    need(goal[0] == "<=", "no inequality follows")
    return ("<=", missed(goal), bound)


def expected_of_messages(command, t):
    """What is expected of t over both noises of messages: entry j of message k is number k·d + j, and so for the pairs."""
    _, name, query, law = command
    over, user, own, ends, pairs, shared = parameters(law)
    need(is_binder(query) and query[0] == "vec", "a query that is not written out")
    d = query[2]
    z, number, k, j, e, other = (new_name() for _ in range(6))

    def is_entry(number, block):
        at = ("+", ("*", block, d), j)
        return ("*", ("at-most", number, at), ("at-most", at, number))

    common = ("sum", other, ("*", pairs, d), ("*", is_entry(other, e), ("at", z, other)))
    common = ("sum", e, pairs, ("*", ("at", ("at", ends, e), k), common))
    own_query = ("*", ("unit", k, user), ("at", query, j))
    message = ("sum", k, over, ("sum", j, d, ("*", is_entry(number, k), ("+", own_query, common))))
    noisy = ("vec", number, ("*", over, d), ("+", message, ("at", name, number)))
    t = ("E", name, ("normal", ("*", over, d), own), put(t, name, noisy))
    return ("E", z, ("normal", ("*", pairs, d), shared), t)


def rule_ends(context, args, steps):
    process, x, value, *invariants = args
    law = ("end", process)
    moments(context, law)
    _, states, *body = context.process(process)
    here = context
    for name, dimension, _ in states:
        here = extended(here, ("var", name, ("vector", dimension, "any")))
    names = [name for name, _, _ in states]
    steps, stops, charges = list(steps), [], []

    def bounded(here, t):
        Kinds(here).number(t)
        for name in names:
            tame(here, HERE, t, name)
        # What is compared only may have any moments, and a logarithm has none that are known.
        for name in charges:
            tame(here, HERE, put(t, name, ("log", name)), name)

    def at_most(here, step, small, large):
        need(here.begins_with(step[0]) and step[1][0] == "<=", "no bound for all states")
        bounded(here, large)
        Kinds(here).number(small)
        need(equal(here, step[1][1], small) and equal(here, step[1][2], large), "another bound")

    def choice(here, selection, t):
        """The bound of a selection, if the theorem says that it is one whatever index wins."""
        need(invariants and steps and len(selection) == 7, "no selection with a bound")
        bound, step = invariants.pop(0), steps.pop(0)
        _, j, k, over, query, scale, divisor = selection
        need(is_binder(bound) and bound[0] == "E" and bound[2] == ("laplace", over, ONE), "not the selection's noise")
        _, z, _, most = bound
        bounded(here, bound)
        every = extended(here, ("var", k, ("index", over)))
        need(sign(every, HERE, scale) >= NONNEGATIVE, "a scale may be negative")
        need(sign(every, HERE, divisor) == POSITIVE, "a divisor may not be positive")
        chosen = ("var", j, ("index", over))
        Kinds(extended(here, chosen)).number(t)
        noisy = extended(extended(here, ("var", z, ("vector", over, "any"))), chosen)
        tame(noisy, HERE, most, z)
        need(noisy.begins_with(step[0]) and step[1][0] == "if", "nothing holds if the index wins")
        score = ("/", ("abs", ("+", query, ("*", scale, ("at", z, k)))), divisor)
        wins = ("every", k, ("index", over), ("<=", score, put(score, k, j)))
        need(goals_same(step[1][1], wins), "another index wins")
        held = step[1][2]
        need(held[0] == "<=" and equal(noisy, held[1], t) and equal(noisy, held[2], most), "another bound")
        return bound

    def before(here, body, t):
        for c in reversed(body):
            if c[0] == "set":
                t = put(t, c[1], c[2])
            elif c[0] == "draw":
                t = ("E", c[1], c[2], t)
            elif c[0] == "stop":
                need(stops and stops[-1], "two stops in one loop")
                name, behind = stops[-1]
                stops[-1] = None
                spent = ("+", name, c[1])
                goes = ("at-most", spent, c[2])
                t = ("+", ("*", goes, put(t, name, spent)), ("*", ("-", ONE, goes), behind))
            elif c[0] == "release" and (c[3][0] == "laplace" or c[3][0] == "normal" and len(c[3]) == 2):
                t = ("E", c[1], c[3], put(t, c[1], ("+", c[2], c[1])))
            elif c[0] == "release" and c[3][0] == "pairwise":
                t = expected_of_messages(c, t)
            elif c[0] == "release":
                need(c[3][0] == "normal", "noise of no known expectation")
                j = new_name()
                noisy = ("vec", j, c[3][1], ("+", ("at", c[2], j), ("at", c[1], j)))
                t = ("E", c[1], c[3], put(t, c[1], noisy))
            elif c[0] == "select":
                t = choice(here, c, t)
            else:
                need(c[0] == "repeat" and invariants and len(steps) >= 2, "no loop with an invariant")
                _, k, times, *inner = c
                invariant, end, one_round = invariants.pop(0), steps.pop(0), steps.pop(0)
                spent, outside = "spent", here
                while spent in here.named:
                    spent += "′"
                Kinds(here).number(t)
                stopped = any(c[0] == "stop" for c in inner)
                if stopped:
                    outside = extended(here, ("var", spent, ("real", "any")))
                    charges.append(spent)
                at_most(outside, end, t, put(invariant, k, times))
                inside = extended(outside, ("var", k, ("index", times)))
                following = put(invariant, k, ("+", k, ONE))
                bounded(inside, following)
                stops.append((spent, t) if stopped else None)
                at_most(inside, one_round, before(inside, inner, following), invariant)
                stops.pop()
                if stopped:
                    charges.remove(spent)
                t = put(put(invariant, k, ZERO), spent, ZERO)
        return t

    wanted = put(value, x, names[0])
    bounded(here, wanted)
    bound = before(here, body, wanted)
    need(not invariants and not steps, "more invariants than loops")
    for name, _, start in states:
        bound = put(bound, name, start)
    return ("<=", ("E", x, law, value), bound)


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
    if t[0] == "partial":
        s = context.sort(t[1])
        need(len(t) == 4 and s[0] == "risk", "not affine")
        n, z = context.sort(s[3])[1], new_name()
        mean = ("/", ("total", z, s[3], ("partial", s[4], t[2], z, t[3])), n)
        return on_one(context, ("+", mean, ("partial", s[5], t[2], t[3])), data, record)
    if t[0] == "app":
        body = context.unfold(t)
        need(body is not None, "not affine")
        return on_one(context, body, data, record)
    reading = [context.reads(a, data) for a in t[1:]]
    affine = t[0] in ("+", "-") or (t[0] == "*" and sum(reading) == 1) or (t[0] in ("/", "at") and not reading[1])
    need(affine, "not affine")
    return (t[0],) + tuple(on_one(context, a, data, record) for a in t[1:])


def two_queries(context, query, data, names):
    """How far a query on the first record is from that on the second, or on none where a record is left out."""
    s = context.sort(data)
    need(isinstance(s, tuple) and s[0] == "dataset", f"{data} is no data set")
    need(all(context.sort(z) == "record" for z in names), "no records")
    need(len(names) == (2 if s[2] == "replace-one" else 1), "not the records that differ")
    one = on_one(context, query, data, names[0])
    other = on_one(context, query, data, names[1] if len(names) == 2 else None)
    return distance(context, one, other)


def rule_one_record(context, args, steps):
    ((here, goal),) = steps
    data, query = args
    need(here.begins_with(context), "another context")
    records = here.items[len(context.items):]
    need(all(i[0] == "var" for i in records), "no records")
    names = [i[1] for i in records]
    need(goal[0] == "<=", "no bound")
    need(equal(here, goal[1], two_queries(here, query, data, names)), "not the change of the query")
    need(not free(goal[2]) & set(names), "the bound depends on a record")
    need(not context.reads(goal[2], data), "the bound reads the data")
    return ("moves", data, query, goal[2])


def rule_image(context, args, steps):
    (to,) = args
    (where, moves), (here, goal) = steps
    need(moves[0] == "moves" and where.items == context.items, "no sensitivity")
    need(here.begins_with(context) and len(here.items) == len(context.items) + 2, "not of two values")
    _, data, query, by = moves
    one, two = here.items[-2:]
    need(one[0] == two[0] == "var" and one[2] == two[2], "values of two sorts")
    x, y = one[1], two[1]
    value(context, one[2], query)
    need(goal[0] == "if" and goal[1][0] == "<=" and goal[2][0] == "<=", "no bound of values that are near")
    (_, near, within), (_, apart, most) = goal[1:]
    need(same(near, distance(here, x, y)) and same(within, by), "not of values as near as the query's")
    need(equal(here, apart, distance(here, to, put(to, x, y))), "not how far the function moves")
    for t in (by, to, most):
        need(not context.reads(t, data), "more than the query reads the data")
    return ("moves", data, put(to, x, query), most)


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


def rule_argmax(context, args, steps):
    (command,) = args
    (where, moves), = steps
    need(command[0] == "select" and moves[0] == "moves", "no selection")
    _, _, k, over, query, _, *modulus = command
    # Without a modulus the scores are compared as they are.
    divisor = modulus[0] if modulus else ONE
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
    _, _, k, over, _, scale, *_ = command
    inner = extended(context, ("var", k, ("index", over)))
    need(inner.begins_with(second), "a theorem of another context")
    need(k not in free(epsilon), "epsilon depends on the index")
    for t in (scale, epsilon, by):
        need(not inner.reads(t, data), "the noise reads the data")
    need(sign(inner, HERE, scale) == POSITIVE, "a scale may not be positive")
    need(sign(inner, HERE, by) >= NONNEGATIVE, "a move may be negative")
    enough_noise(noise, by, epsilon, scale)
    return ("private", data, ("pure", epsilon), command)


def chosen(context, command, steps):
    """The data, and how far the exponents of the weights move, of a draw of an index."""
    (where, moves), = steps
    need(command[0] == "draw" and is_binder(command[2]) and command[2][0] == "weighted", "no draw by weights")
    _, k, over, weight = command[2]
    need(isinstance(weight, tuple) and weight[0] == "*" and len(weight) == 3, "the weight is no product of two")
    _, base, growth = weight
    need(isinstance(growth, tuple) and growth[0] == "exp" and moves[0] == "moves", "no exponential of a query")
    inner = extended(context, ("var", k, ("index", over)))
    need(inner.begins_with(where), "a theorem of another context")
    _, data, query, by = moves
    need(same(query, growth[1]), "the sensitivity of another query")
    need(k not in free(by), "the bound depends on the index")
    need(sign(inner, HERE, base) >= NONNEGATIVE, "a weight may be negative")
    for t in (base, over, by):
        need(not inner.reads(t, data), "more than the query reads the data")
    return data, by


def rule_exponential(context, args, steps):
    data, by = chosen(context, args[0], steps)
    return ("private", data, ("range", ("*", TWO, by)), args[0])


def of_range(steps, to):
    (_, goal), = steps
    need(goal[0] == "private" and goal[2][0] == "range", "no bounded range")
    return ("private", goal[1], to(goal[2][1]), goal[3])


def rule_bounded_range(context, args, steps):
    return of_range(steps, lambda eta: ("zcdp", ("/", ("^", eta, TWO), 8)))


def rule_pure_range(context, args, steps):
    return of_range(steps, lambda eta: ("pure", eta))


def of_pure(steps, to):
    (_, goal), = steps
    need(goal[0] == "private" and goal[2][0] == "pure", "not pure")
    return ("private", goal[1], to(goal[2][1]), goal[3])


def rule_range_of_pure(context, args, steps):
    return of_pure(steps, lambda e: ("range", ("*", TWO, e)))


def rule_response(context, args, steps):
    return of_pure(steps, lambda e: ("dominated", ("response", e)))


def rule_weaken(context, args, steps):
    (notion,) = args
    (_, goal), *facts = steps
    need(goal[0] == "private", "not about privacy")
    Kinds(context).notion(notion)
    _, data, own, subject = goal
    need(own[0] == notion[0], "another notion")
    for i, (a, b) in enumerate(zip(own[1:], notion[1:])):
        need(not context.reads(b, data), "a number reads the data")
        if all(isinstance(t, tuple) and t[0] in ("gaussian", "response") for t in (a, b)) and a[0] == b[0]:
            a, b = a[1], b[1]
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


def rule_approximate(context, args, steps):
    return of_pure(steps, lambda e: ("approximate", e, ZERO))


def rule_call(context, args, steps):
    (command,) = args
    need(command[0] == "call" and command[2][0] == "app", "no call")
    s = context.sort(command[2][1])
    need(isinstance(s, tuple) and s[0] == "mechanism", "no mechanism")
    need(not context.reads(command[2][2], s[2]), "the input reads the data")
    notion = s[3][:1] + tuple(put(t, "input", command[2][2]) for t in s[3][1:])
    return ("private", s[2], notion, command)


# name: numbers with signs, hypotheses, conclusion; * is the mechanism.
PREMISES = {
    "zcdp-to-dp": (
        "((ρ nonnegative) (ε any) (δ positive))",
        "((private * (zcdp ρ)) (<= δ 1) (<= (+ ρ (* 2 (sqrt (* ρ (log (/ 1 δ)))))) ε))",
        "(approximate ε δ)",
    ),
    "renyi-to-dp": (
        "((x positive) (τ any) (ε nonnegative) (δ positive))",
        "((private * (renyi (+ 1 x) τ))"
        " (<= (+ (+ τ (log (/ x (+ 1 x)))) (/ (- (log (/ 1 δ)) (log (+ 1 x))) x)) ε))",
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
    need(head != "range", "intervals do not add up")
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


def assigned(body):
    """The states to which commands assign."""
    inner = [assigned(c[3:]) for c in body if c[0] == "repeat"]
    return {c[1] for c in body if c[0] == "set"}.union(*inner)


class Walk:
    """Commands in order, with what stands before each, and the theorems that are left."""

    def __init__(self, context, data, states, steps):
        self.context, self.data, self.steps, self.loops = context, data, steps, []
        self.history = [("var", name, ("vector", dimension, "any")) for name, dimension, _ in states]
        self.states = [name for name, _, _ in states]

    def unread(self, t):
        need(not self.context.reads(t, self.data), "the data are read outside of commands")

    def scope(self):
        return [(x, t) for _, x, t in self.history]

    def block(self, body):
        """What a block costs together, and whether that is for all rounds of the loop around it; None for nothing."""
        costs, stop = [], None
        for c in body:
            if c[0] == "set":
                need(c[1] in self.states, "what is named is changed")
                self.unread(c[2])
            elif c[0] == "draw" and not self.context.reads(c[2], self.data):
                pass
            elif c[0] == "stop":
                self.unread(c[1])
                self.unread(c[2])
                need(stop is None, "two stops in one loop")
                stop = (len(costs),) + c[1:]
            elif c[0] == "repeat":
                self.unread(c[2])
                outside = len(self.history)
                self.history.append(("var", c[1], ("index", c[2])))
                self.loops.append(c[1])
                cost = self.block(c[3:])
                self.loops.pop()
                del self.history[outside:]
                if cost:
                    costs.append(cost[0] if cost[1] else repeated(cost[0], c[1], c[2]))
            else:
                costs.append(self.access(c))
            named = Kinds(self.context, self.scope()).command(c)
            if named:
                self.history.append(("var",) + named)
        if stop and self.steps and self.steps[0][1][0] == "<=":
            early = list(body)
            while early and early[-1][0] == "set":
                early.pop()
            return self.stopped(costs, early, *stop), True
        for c in costs:
            self.uniform(c[1:], self.loops)
        return (added(costs), False) if costs else None

    def stopped(self, costs, early, before, charge, limit):
        need(all(c[0] == "zcdp" for c in costs), "only zCDP is bounded by a stop")
        spent = lambda costs: added(costs)[1] if costs else ZERO
        everything, first = spent(costs), spent(costs[:before])
        need(not (free(everything) | free(charge)) & assigned(early), "a cost or charge depends on what changes")
        paid, last = self.next(), self.next()
        need(paid[0] == last[0] == "<=" and isinstance(paid[2], tuple) and paid[2][0] == "*", "no bounds of a round")
        need(len(paid[2]) == 3 and same(paid[2][2], charge), "no multiple of the charge")
        need(same(paid[1], everything) and same(last[1], first), "not what a round costs")
        factor, most = paid[2][1], last[2]
        self.uniform((factor, limit, most), self.loops[:-1])
        need(sign(self.context, tuple(self.scope()), factor) >= NONNEGATIVE, "the multiple may be negative")
        return ("zcdp", ("+", ("max", ZERO, ("*", factor, limit)), most))

    def uniform(self, numbers, loops):
        names = {x for _, x, _ in self.history} - set(loops)
        need(not any(names & free(t) for t in numbers), "a bound depends on the history")

    def next(self):
        need(self.steps, "a command is left")
        of, goal = self.steps.pop(0)
        need(of.begins_with(self.context), "another context")
        own = of.items[len(self.context.items):]
        past = iter(self.history)
        need(all(any(item == known for known in past) for item in own), "not uniform over histories")
        return goal

    def access(self, command):
        goal = self.next()
        need(goal[0] == "private" and goal[1] == self.data and goal[3] == command, "no bound of the command")
        return goal[2]


def rule_compose(context, args, steps):
    process, data, how_many = args
    need(whole(how_many) == len(steps), "another number of theorems")
    _, states, *body = context.process(process)
    walk = Walk(context, data, states, list(steps))
    for name, dimension, start in states:
        walk.unread(dimension)
        walk.unread(start)
        need(name not in context.named, "the state's name has another meaning")
    total = walk.block(body)
    need(not walk.steps and total, "more theorems than commands, or none")
    return ("private", data, total[0], ("transcript", process))


def rule_forget(context, args, steps):
    (_, goal), = steps
    need(goal[0] == "private" and goal[3][0] == "transcript", "not about a transcript")
    _, data, notion, (_, process) = goal
    _, states, *body = context.process(process)

    def unread(commands):
        for c in commands:
            need(c[0] not in ("set", "repeat", "stop") or not context.reads(c[2], data), "the state reads the data")
            need(c[0] != "stop" or not context.reads(c[1], data), "a stop reads the data")
            if c[0] == "repeat":
                unread(c[3:])

    need(not any(context.reads(start, data) for _, _, start in states), "the start reads the data")
    unread(body)
    need(args[0] in ("end", "path"), "another view")
    return ("private", data, notion, (args[0], process))


def rule_unread(context, args, steps):
    (_, goal), = steps
    need(goal[0] == "private" and goal[3][0] == "transcript", "not about a transcript")
    _, data, notion, (_, process) = goal
    rest, whole = context.process(process), context.process(args[0])
    out = {state[0] for state in whole[1] if state not in rest[1]}

    def left(body):
        kept = [c for c in body if c[0] != "set" or c[1] not in out]
        return tuple(c[:3] + left(c[3:]) if c[0] == "repeat" else c for c in kept)

    states = tuple(state for state in whole[1] if state[0] not in out)
    need(states == rest[1] and left(whole[2:]) == rest[2:], "the processes differ in more than states")
    need(not any(out & free(t) for t in process_terms(rest)), "what is left out is read")
    return ("private", data, notion, ("transcript", args[0]))


# name: the rule, how many arguments (None: it looks itself), how many theorems, and whether these hold in the
# context of the conclusion or, as the rule itself checks, in one that is longer.
RULES = {
    "assume": (rule_assume, 1, 0, True),
    "combine": (rule_combine, None, None, True),
    "larger": (rule_larger, 3, 0, True),
    "root-increases": (rule_root_increases, 0, 1, True),
    "sum-over": (rule_sum_over, 0, 1, False),
    "convex": (rule_convex, 3, 0, True),
    "smooth": (rule_smooth, 3, 0, True),
    "stationary": (rule_stationary, 1, 1, True),
    "gradient-bound": (rule_gradient_bound, None, 0, True),
    "triangle": (rule_triangle, 2, 0, True),
    "clipped": (rule_clipped, 2, 0, True),
    "unclipped": (rule_unclipped, None, 1, True),
    "at-most-one": (rule_at_most_one, 1, 0, True),
    "tangent": (rule_tangent, 1, 0, True),
    "exp-sum": (rule_exp_sum, 2, 0, True),
    "exp-log": (rule_exp_log, 1, 0, True),
    "telescope": (rule_telescope, 3, 0, True),
    "expected": (rule_expected, 1, 1, False),
    "ends": (rule_ends, None, None, False),
    "exponential-moment": (rule_exponential_moment, 3, 1, False),
    "tail": (rule_tail, None, 0, True),
    "weighted": (rule_weighted, 2, 0, True),
    "density": (rule_density, 3, 0, True),
    "added": (rule_added, 5, 0, True),
    "cases": (rule_cases, 0, 2, True),
    "chain": (rule_chain, 0, 2, True),
    "union": (rule_union, 0, 1, True),
    "discharge": (rule_discharge, 0, 1, False),
    "one-record": (rule_one_record, 2, 1, False),
    "laplace": (rule_laplace, 2, 2, True),
    "gaussian": (rule_gaussian, 1, 1, True),
    "gaussian-pair": (rule_gaussian_pair, None, None, False),
    "attained": (rule_attained, None, None, False),
    "together": (rule_together, 0, 1, True),
    "events": (rule_events, 0, 2, False),
    "limit": (rule_limit, 0, 1, False),
    "induction": (rule_induction, 0, 2, False),
    "response": (rule_response, 0, 1, True),
    "pure-range": (rule_pure_range, 0, 1, True),
    "range-of-pure": (rule_range_of_pure, 0, 1, True),
    "exponential": (rule_exponential, 1, 1, False),
    "bounded-range": (rule_bounded_range, 0, 1, True),
    "argmax": (rule_argmax, 1, 1, False),
    "shift": (rule_shift, 1, 2, False),
    "weaken": (rule_weaken, 1, None, True),
    "renyi": (rule_renyi, 1, 1, True),
    "call": (rule_call, 1, 0, True),
    "cite": (rule_cite, None, None, True),
    "compose": (rule_compose, 3, None, False),
    "inverse": (rule_inverse, 1, 0, True),
    "exchange": (rule_exchange, 5, 0, True),
    "counted": (rule_counted, 1, 0, True),
    "below": (rule_below, 1, 0, True),
    "correlated": (rule_correlated, 2, 2, False),
    "solution": (rule_solution, 1, 1, False),
    "forget": (rule_forget, 1, 1, True),
    "unread": (rule_unread, 1, 1, True),
    "both": (rule_both, 0, None, True),
    "instance": (rule_instance, 1, 1, True),
    "largest": (rule_largest, 0, 2, True),
    "supremum": (rule_supremum, 1, 1, False),
    "image": (rule_image, 1, 2, False),
    "approximate": (rule_approximate, 0, 1, True),
}


# Rules whose first theorem's context is that of the conclusion.
IN_THE_SAME = (
    "union", "root-increases", "weaken", "renyi", "forget", "unread", "largest", "approximate", "together", "events",
    "response", "pure-range", "range-of-pure", "bounded-range",
)


def goals_same(a, b):
    """Equal up to bound names, wherever terms stand."""
    if a[0] != b[0] or len(a) != len(b):
        return False
    if a[0] == "every":
        return a[1:3] == b[1:3] and goals_same(a[3], b[3])
    if a[0] in ("both", "if"):
        return all(goals_same(x, y) for x, y in zip(a[1:], b[1:]))
    if a[0] == "events":
        return a[1:5] == b[1:5] and goals_same(a[5], b[5])
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
    if rule[0] in IN_THE_SAME:
        need(steps[0][0].items == context.items, "a theorem of another context")
    found = function(context, args, steps, goal) if rule[0] == "combine" else function(context, args, steps)
    Kinds(context).goal(found)
    Kinds(context).goal(goal)
    need(goals_same(found, goal), f"{rule[0]} concludes something else")
    return found
