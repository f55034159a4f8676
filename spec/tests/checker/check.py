"""A second checker of proofs, written from spec/formats/trace.md alone.

    python3 check.py TRACE [STATEMENT]
    python3 check.py FOLDER
    python3 check.py --anyhow FOLDER
    python3 check.py --many TRACES STATEMENT [TRACES STATEMENT ...]

reads a trace, carries out every rule, compares with what the trace says, and prints the statement that it has
found proved and the premises used. With a file STATEMENT it also compares with the statement there. Of a folder
every NAME.trace is checked, against NAME.statement where there is one, a line for each. With --anyhow each is checked in a
process of its own, with the count of fresh names begun where it gets another digit, and behind all that come after it in
the folder, and is accepted if it is both times. With --many a file holds traces with an empty line between them, each is
compared with the statement, and one line for each says whether it was accepted. Exit code 0: accepted; 1: rejected, with
the reason. It shares no code with the kernel; numbers are exact.
"""

import gc
import itertools
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor

import terms
from meaning import extended
from rules import carry_out, goals_same
from terms import Context, Rejected, need, parse, whole


def check(text):
    """The context, the goal and the premises that a trace proves."""
    lines = [parse(line) for line in text.splitlines() if line.strip()]
    need(lines and lines[0] == ("trace", 1), "not a trace of version 1")
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


def judge_file(path):
    """A trace, with the statement that it is to prove where that is written beside it."""
    beside = path.removesuffix(".trace") + ".statement"
    wanted = content(beside) if os.path.exists(beside) else None
    return judge(content(path), wanted)


def names_in(folder):
    return sorted(name.removesuffix(".trace") for name in os.listdir(folder) if name.endswith(".trace"))


def judge_from(task):
    """Traces one after another, with the count of fresh names begun there."""
    count, paths = task
    terms.COUNTER = itertools.count(count)
    return [judge_file(path) for path in paths]


def told(names, verdicts):
    """A line for each name, and how many were accepted; 0 where there are some and all were."""
    rejected = 0
    for name, (accepted, answer) in zip(names, verdicts):
        print(f"{name}: accepted, {answer.splitlines()[-1]}" if accepted else f"{name}: {answer}")
        rejected += not accepted
    print(f"{len(names) - rejected} of {len(names)} accepted")
    return 0 if names and not rejected else 1


def judge_anyhow(folder):
    """Whether what was checked before and the names that it left matter."""
    names = names_in(folder)
    paths = [os.path.join(folder, name + ".trace") for name in names]
    tasks = [(1, paths[::-1])] + [(95, [path]) for path in paths]
    # A new process for each: the parent has checked nothing.
    with multiprocessing.get_context("fork").Pool(maxtasksperchild=1) as workers:
        behind, *alone = workers.map(judge_from, tasks, chunksize=1)

    def both(first, other):
        if first == other or not first[0]:
            return first
        return False, f"behind others {'accepted as ' if other[0] else ''}{other[1]}"

    return told(names, [both(first, other) for [first], other in zip(alone, behind[::-1])])


def on_all_cores(work, tasks, path):
    """What work says of each task, in their order; begun with those whose file is the largest. No proof needs another."""
    begun = sorted(tasks, key=lambda task: os.path.getsize(path(task)), reverse=True)
    with ProcessPoolExecutor(initializer=gc.disable) as workers:
        found = dict(zip(begun, workers.map(work, begun)))
    return [found[task] for task in tasks]


def judge_folder(folder):
    """Checks every trace of a folder."""
    names = names_in(folder)
    paths = [os.path.join(folder, name + ".trace") for name in names]
    return told(names, on_all_cores(judge_file, paths, lambda path: path))


def judge_against(task):
    """Each trace of a file against one statement."""
    traces, wanted = task
    statement = content(wanted)
    return [judge(text, statement) for text in content(traces).split("\n\n")]


def main(argv):
    if os.path.isdir(argv[1]):
        return judge_folder(argv[1])
    if argv[1] == "--anyhow":
        return judge_anyhow(argv[2])
    if argv[1] == "--many":
        tasks = list(zip(argv[2::2], argv[3::2]))
        for verdicts in on_all_cores(judge_against, tasks, lambda task: task[0]):
            for accepted, why in verdicts:
                print("accepted" if accepted else why)
        return 0
    accepted, answer = judge(content(argv[1]), content(argv[2]) if len(argv) > 2 else None)
    print(answer)
    return 0 if accepted else 1


if __name__ == "__main__":
    # Terms refer to what they are made of, never in circles: to look for circles would take half of the time.
    gc.disable()
    code = main(sys.argv)
    sys.stdout.flush()
    # At its end the interpreter would look for circles all the same.
    os._exit(code)
