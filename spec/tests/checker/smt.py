"""The polynomial leaves of proofs as SMT-LIB 2, for solvers that know nothing of the kernel.

    python3 smt.py --write DIR TRACE…      writes a file for every leaf that is polynomial
    python3 smt.py --count TRACE…          a line for every trace: name, leaves, polynomial ones, digest of their files
    python3 smt.py --solve SECONDS TRACE…  asks Z3 and cvc5 (their Python packages), a line for every leaf: the trace's name,
                                           the step, what is not polynomial in it, the solvers' answers

A leaf is a step by `combine`: s ≤ t, or s = t, follows from facts and multipliers. It is polynomial if it is made from
numbers with + − · / powers √ max |·| and definitions of such. A sum over an index, also under the norm of a vector that is
written out, another function of such a vector, an expectation, a maximum over a range, a power that varies, and an
exponential or logarithm of one of these make it none: for them the step rests on rules. All else, such as entries,
logarithms and values of functions, stands for a number, the same one wherever it is written alike, that has the sign that
is plain; 𝟙 is 0 or 1, exponentials and logarithms of equal numbers are equal, e^a·e^−a = 1, and e^log t = t. Quotients are
products by a number that is a positive inverse, a root is a number ≥ 0 with that square: that there are such numbers is
taken from the step, which has no meaning else.

A file asks two things, each of which must be `unsat`: that a multiplier is negative, and that the leaf fails although each
product of a multiplier and its facts is ≥ 0, or 0 if one of the facts is an equation. The normal forms of the kernel and
of the checker play no part in it.
"""

import functools
import hashlib
import itertools
import pathlib
import subprocess
import sys

from meaning import extended, sign
from terms import NONNEGATIVE, POSITIVE, Context, indexed, is_binder, is_name, is_number, parse, quotient, whole


class Other(Exception):
    """What makes a leaf no polynomial one."""


def written_out(t):
    """Whether a vector is written out in a term: it is the same vector as one that is written in another way."""
    return isinstance(t, tuple) and (t[0] == "vec" or any(map(written_out, t[1:])))


class Problem:
    """One leaf: variables, what is known of them, and terms in them."""

    def __init__(self, context):
        self.context = context
        self.names, self.known, self.others = {}, [], set()
        self.values = {"exp": [], "log": []}

    def name(self, key, known):
        """The variable for a term; `known` makes what is known of a new one."""
        if key not in self.names:
            self.names[key] = x = f"x{len(self.names)}"
            self.known += known(x)
        return self.names[key]

    def plain(self, t):
        def known(x):
            if isinstance(t, tuple) and t[0] in ("unit", "member", "at-most"):
                return [f"(or (= {x} 0) (= {x} 1))"]
            s = sign(self.context, (), t)
            return [f"(> {x} 0)"] if s == POSITIVE else [f"(>= {x} 0)"] if s == NONNEGATIVE else []

        return self.name(indexed(t), known)

    def term(self, t):
        if is_number(t):
            above, below = abs(t.numerator), t.denominator
            value = f"{above}.0" if below == 1 else f"(/ {above}.0 {below}.0)"
            return value if t >= 0 else f"(- {value})"
        if is_name(t):
            return self.plain(t)
        if is_binder(t):
            raise Other({"E": "expectation", "sup": "maximum over a range"}.get(t[0], "sum"))
        head = t[0]
        if head == "app":
            body = self.context.unfold(t)
            if body is not None:
                return self.term(body)
        if head in ("+", "-", "*"):
            return f"({head} {' '.join(self.term(a) for a in t[1:])})"
        if head == "/":
            return f"(* {self.term(t[1])} {self.inverse(t[2])})"
        if head == "^":
            if not is_number(t[2]):
                raise Other("power that varies")
            n = whole(t[2]) if t[2] >= 0 else whole(-t[2])
            base = self.term(t[1]) if t[2] >= 0 else self.inverse(t[1])
            return "1.0" if n == 0 else base if n == 1 else f"(* {' '.join([base] * n)})"
        if head == "sqrt":
            inside = self.term(t[1])
            return self.name(("sqrt", inside), lambda r: [f"(>= {r} 0)", f"(= (* {r} {r}) {inside})"])
        if head == "max":
            a, b = self.term(t[1]), self.term(t[2])
            return self.name(("max", a, b), lambda m: [f"(>= {m} {a})", f"(>= {m} {b})", f"(or (= {m} {a}) (= {m} {b}))"])
        if head == "abs":
            a = self.term(t[1])
            return self.name(("abs", a), lambda m: [f"(>= {m} 0)", f"(or (= {m} {a}) (= {m} (- {a})))"])
        if head == "norm" and is_binder(t[1]):
            raise Other("sum")
        if any(map(written_out, t[1:])):
            raise Other("function of a vector that is written out")
        self.others.add(head)
        if head in self.values and indexed(t) not in self.names:
            self.term(t[1])
            self.values[head].append(t)
        return self.plain(t)

    def functions(self):
        """Of any two exponentials and logarithms: of equal numbers they are the same number; e^a·e^−a = 1; e^log t = t."""
        for one, other in itertools.combinations(self.values["exp"] + self.values["log"], 2):
            a, b, x, y = map(self.term, (one[1], other[1], one, other))
            if one[0] == other[0]:
                self.known.append(f"(or (not (= {a} {b})) (= {x} {y}))")
                if one[0] == "exp":
                    self.known.append(f"(or (not (= (+ {a} {b}) 0)) (= (* {x} {y}) 1))")
            else:
                self.known.append(f"(or (not (= {a} {y})) (= {x} {b}))")
                self.known.append(f"(or (not (= (+ {a} {y}) 0)) (= (* {x} {b}) 1))")

    def inverse(self, t):
        """1/t for a positive t; of a product or quotient by its factors."""
        if is_number(t):
            return self.term(quotient(1, t))
        if isinstance(t, tuple) and t[0] == "app" and self.context.unfold(t) is not None:
            return self.inverse(self.context.unfold(t))
        if isinstance(t, tuple) and t[0] == "*":
            return f"(* {' '.join(self.inverse(a) for a in t[1:])})"
        if isinstance(t, tuple) and t[0] == "/":
            return f"(* {self.inverse(t[1])} {self.term(t[2])})"
        if isinstance(t, tuple) and t[0] == "^" and is_number(t[2]) and t[2] > 0:
            return f"(* {' '.join([self.inverse(t[1])] * whole(t[2]))} 1.0)"
        whole_term = self.term(t)
        return self.name(("inverse", whole_term), lambda i: [f"(> {i} 0)", f"(= (* {whole_term} {i}) 1.0)"])


def difference(problem, goal):
    return f"(- {problem.term(goal[2])} {problem.term(goal[1])})"


def leaf(problem, rule, facts, goal):
    """The queries of a leaf: that a multiplier is negative, for each that matters, and that the leaf fails."""
    facts = iter(facts)
    products, signs = [], []
    for multiplier, number in rule[1:]:
        used = list(itertools.islice(facts, whole(number)))
        value = problem.term(multiplier)
        parts = [value] + [difference(problem, fact) for fact in used]
        product = parts[0] if len(parts) == 1 else f"(* {' '.join(parts)})"
        equation = any(fact[0] == "=" for fact in used)
        products.append(f"(= {product} 0)" if equation else f"(>= {product} 0)")
        if not equation and not (is_number(multiplier) and multiplier >= 0):
            signs.append(f"(< {value} 0)")
    rest = difference(problem, goal)
    fails = f"(not (= {rest} 0))" if goal[0] == "=" else f"(< {rest} 0)"
    problem.functions()
    head = ["(set-logic QF_NRA)"] + [f"(declare-const {x} Real)" for x in problem.names.values()]
    head += [f"(assert {fact})" for fact in problem.known]
    queries = [[f"(assert {sign})"] for sign in signs]
    queries.append([f"(assert {product})" for product in products] + [f"(assert {fails})"])
    return ["\n".join(head + query + ["(check-sat)", ""]) for query in queries]


def leaves(text):
    """For every step by `combine`: its number, its queries if it is polynomial, and what stands for a number in them, or
    what makes it no polynomial leaf."""
    contexts, steps = [Context(None, None)], []
    for line in map(parse, filter(str.strip, text.splitlines())):
        if line[0] == "context":
            contexts.append(extended(contexts[whole(line[2])], line[3]))
        elif line[0] == "step":
            _, number, where, rule, used, goal = line
            steps.append(goal)
            if rule[0] == "combine":
                try:
                    problem = Problem(contexts[whole(where)])
                    queries = leaf(problem, rule, [steps[whole(i)] for i in used], goal)
                    yield whole(number), queries, " ".join(sorted(problem.others))
                except Other as why:
                    yield whole(number), None, str(why)


def by_z3(query, seconds):
    import z3

    solver = z3.Solver()
    solver.set("timeout", 1000 * seconds)
    solver.from_string(query)
    return str(solver.check())


def by_cvc5(query, seconds):
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(1000 * seconds))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, query, "leaf")
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(solver, parser.getSymbolManager())).strip()
    return answer


SOLVERS = {"z3": by_z3, "cvc5": by_cvc5}


@functools.cache
def asked(solver, query, seconds):
    """A solver's answer, in a process of its own that can be stopped: `unknown` after so many seconds."""
    command = [sys.executable, "-B", __file__, "--ask", solver, str(seconds)]
    try:
        run = subprocess.run(command, input=query, capture_output=True, text=True, timeout=seconds + 5, check=True)
    except subprocess.TimeoutExpired:
        return "unknown"
    return run.stdout.strip().split(" ")[0]


def confirmed(solver, queries, seconds):
    """`unsat` if every query is, else the first other answer."""
    answers = (asked(solver, query, seconds) for query in queries)
    return next((answer for answer in answers if answer != "unsat"), "unsat")


def main(argv):
    option, *rest = argv[1:]
    if option == "--ask":
        print(SOLVERS[rest[0]](sys.stdin.read(), int(rest[1])))
        return 0
    setting = rest.pop(0) if option in ("--write", "--solve") else None
    for path in map(pathlib.Path, rest):
        found = list(leaves(path.read_text(encoding="utf-8")))
        polynomial = [(number, queries) for number, queries, _ in found if queries]
        if option == "--write":
            for number, queries in polynomial:
                text = "\n".join(f"(reset)\n{query}" for query in queries)
                (pathlib.Path(setting) / f"{path.stem}-{number}.smt2").write_text(text, encoding="utf-8")
        elif option == "--count":
            text = "".join(query for _, queries in polynomial for query in queries)
            digest = hashlib.sha256(text.encode()).hexdigest()[:16]
            print(f"{path.stem},{len(found)},{len(polynomial)},{digest}")
        else:
            for number, queries, why in found:
                answers = [confirmed(solver, queries, int(setting)) if queries else "" for solver in SOLVERS]
                print(",".join([path.stem, str(number), why] + answers), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
