"""The process for student code: fair to slow code, the same without fork, and gone when it is done."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from attnlab import texts
from attnlab.checking import engine
from attnlab.checking.target import Lost
from attnlab.emit.words import Words
from attnlab.sandbox import process
from attnlab.sandbox.process import AgentError, Limits, ProcessTarget

RIGHT = """import numpy as np
def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
"""
QUICK = Limits(load=1.0, case=0.5, after_timeout=0.5)


@pytest.fixture
def without_fork(monkeypatch):
    """An agent that runs every part in one process, as on macOS and Windows."""
    monkeypatch.setattr(process, "FORK", False)


@pytest.mark.skipif(not process.LIMITED, reason="memory is limited on Linux only")
def test_what_needs_more_memory_than_the_grader_gives_is_told_before_it_is_handed_in(solution, judged):
    hungry = f"def softmax(x):\n    bytearray({Limits().memory * 3 // 2})\n    return _softmax(x)\n"
    report = judged(f"{solution}\n\n_softmax = softmax\n\n\n{hungry}")
    result = report.part("softmax")
    assert result.status == "error"
    assert "MemoryError" in str(result.checks[0].fault)


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_a_statement_that_writes_into_the_channel_is_told_so(judged, lang):
    lines = "import os\nfor fd in range(3, 20):\n    try: os.write(fd, b'x' * 100)\n    except OSError: pass\n"
    (told,) = Words(judged(lines), lang).problems()
    assert told == texts.say(lang, "problem.babbled", {"place": "student.py", "line": 2})


def test_libraries_that_a_file_imports_may_hold_as_much_as_they_like(solution, judged):
    report = judged(f"held = b'x' * {Limits().memory * 3 // 2}\n\n\n{solution}")
    assert report.score == report.max_score


@pytest.mark.usefixtures("without_fork")
@pytest.mark.parametrize(
    ("line", "status"),
    [("", "passed"), ("os._exit(0)", "died"), ("while True: pass", "timeout"), ("raise SystemExit", "error")],
)
def test_without_fork_a_lost_function_costs_the_others_nothing(line, status, solution, judged):
    addition = f"\n\ndef softmax(x):\n    import os\n    {line}\n" if line else ""
    report = judged(solution + addition, limits=QUICK)
    statuses = {result.part.name: result.status for result in report.parts}
    assert statuses["softmax"] == status
    assert statuses["causal_mask"] == statuses["sigmoid"] == "passed"


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="looks at processes the POSIX way")
@pytest.mark.parametrize(
    "extra", ["", "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"]
)
def test_no_process_is_left_behind(extra, lab, cases):
    target = ProcessTarget([("s.py", RIGHT + extra)], lab.functions)
    engine.check(lab, target, cases, parts=("softmax",))
    group = target._running.pid
    target.close()
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("a process of the submission is still alive")


@pytest.mark.skipif(sys.platform != "linux", reason="only there is student code forked")
def test_an_endless_loop_ends_with_its_grader(tmp_path):
    """The grader is killed while a student's loop runs: nobody is left to stop the loop but the agent."""
    (tmp_path / "attention.py").write_text("def softmax(x):\n    while True: pass\n", encoding="utf-8")
    command = [sys.executable, "-m", "attnlab.cli", "check", str(tmp_path)]
    grader = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def agents():
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    if os.readlink(entry / "cwd") == str(tmp_path):
                        found.append(int(entry.name))
        return found

    for _ in range(100):
        if len(agents()) == 2:
            break
        time.sleep(0.05)
    assert len(agents()) == 2
    grader.kill()
    grader.wait()
    for _ in range(60):
        if not agents():
            return
        time.sleep(0.05)
    pytest.fail("the student's loop outlived its grader")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells processor time of another process")
def test_waiting_for_a_busy_machine_is_not_held_against_anybody(lab, cases):
    """A right answer that needs a quarter of the limit, with every core kept busy."""
    slow = RIGHT.replace(
        "    e =", "    t = time.process_time()\n    while time.process_time() - t < 0.12: pass\n    e ="
    )
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * os.cpu_count())]
    try:
        target = ProcessTarget([("s.py", "import time\n" + slow)], lab.functions, limits=Limits(case=0.5))
        few = {check.id: cases[check.id][:1] for check in lab.checks}
        report = engine.check(lab, target, few, parts=("softmax",))
        target.close()
    finally:
        for other in busy:
            other.kill()
            other.wait()
    assert report.part("softmax").status == "passed"


@pytest.mark.parametrize("fork", [True, False])
def test_a_part_that_wastes_time_leaves_enough_for_the_others(fork, solution, judged, monkeypatch):
    """Each call is well within its limit, but there are many, and all together would use up the submission's time."""
    monkeypatch.setattr(process, "FORK", fork and process.FORK)
    wasteful = (
        "\n\ndef softmax(x):\n    import time\n    t = time.process_time()\n"
        "    while time.process_time() - t < 0.1: pass\n    raise MemoryError\n"
    )
    report = judged(solution + wasteful, limits=Limits(part=1.0, part_after_timeout=0.5, cpu=6.0))
    faults = {result.part.name: {c.fault.message for c in result.checks if c.fault} for result in report.parts}
    assert faults["softmax"] == {"fault.too_long"}
    assert faults["causal_mask"] == faults["sigmoid"] == set()
    assert all(report.part(name).right_given_right_helpers for name in ("attention", "causal_self_attention", "gate"))


def test_an_agent_that_cannot_start_is_the_grader_s_fault(monkeypatch, tmp_path, lab):
    broken = tmp_path / "agent.py"
    broken.write_text("raise SystemExit(1)", encoding="utf-8")
    monkeypatch.setattr(process, "PROGRAM", broken)
    with pytest.raises(AgentError):
        ProcessTarget([("s.py", RIGHT)], lab.functions).survey()


def test_lost_is_no_exception_that_a_search_would_shrink():
    assert not issubclass(Lost, Exception)


def test_modules_beside_the_file_are_found_and_do_not_shadow_numpy(tmp_path, lab, cases):
    (tmp_path / "my_tools.py").write_text("import numpy as np\nexp = np.exp\n", encoding="utf-8")
    (tmp_path / "numpy.py").write_text("raise RuntimeError('shadow')\n", encoding="utf-8")
    source = RIGHT.replace("np.exp", "exp").replace(
        "import numpy as np\n", "import numpy as np\nfrom my_tools import exp\n"
    )
    target = ProcessTarget([("s.py", source)], lab.functions, folder=tmp_path)
    report = engine.check(lab, target, cases, parts=("softmax",))
    target.close()
    assert report.part("softmax").status == "passed"


NAMES_OF_OURS = ["agent", "wire", "calling", "loading", "serving", "standins", "answers", "attnlab_agent"]


@pytest.mark.parametrize("name", NAMES_OF_OURS)
def test_a_module_of_the_student_s_may_be_called_as_one_of_ours(tmp_path, lab, cases, name):
    (tmp_path / f"{name}.py").write_text("import numpy as np\nexp = np.exp\n", encoding="utf-8")
    source = f"import {name}\n" + RIGHT.replace("np.exp", f"{name}.exp")
    target = ProcessTarget([("s.py", source)], lab.functions, folder=tmp_path)
    report = engine.check(lab, target, cases, parts=("softmax",))
    target.close()
    assert report.part("softmax").status == "passed"


def test_no_module_of_ours_is_within_reach_of_an_import(lab):
    probe = """import sys, __main__
extra = vars(__main__).keys() - vars(sys.__class__("m")).keys()
ours = [n for n, m in list(sys.modules.items()) if "sandbox" in str(getattr(m, "__file__", ""))]
assert not ours and not extra, (ours, extra)
"""
    target = ProcessTarget([("s.py", probe)], lab.functions)
    problems = target.survey().problems
    target.close()
    assert problems == ()


def states(*cells, names=("softmax", "attention")):
    target = ProcessTarget([(f"cell {i}", cell) for i, cell in enumerate(cells, 1)], names)
    survey = target.survey()
    target.close()
    return survey.functions


@pytest.mark.parametrize(
    "before",
    [
        "import no_such_plots.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1])",
        "import no_such_plots.pyplot\nno_such_plots.pyplot.plot([1])",
        "from no_such_plots import plot\nwith plot() as axes:\n    axes.draw()\naxes.show()",
        "import no_such_plots as p\nfor line in p.lines():\n    line.draw()\nline.show()",
        "import no_such_plots as p\nclass Module(p.Module): pass\nmodel = Module()\nmodel.run()",
        "import no_such_plots as p\n@p.jit\ndef fast(x): return x\nprint(fast(1))",
        "if True:\n    import no_such_plots as p\np.show()",
        "def show():\n    import no_such_plots as p\n    p.show()\nshow()",
        "import no_such_plots as p\ndef show():\n    p.show()\nshow()",
    ],
)
def test_functions_after_a_picture_that_cannot_be_drawn_here_are_there(before):
    assert states(before + "\n" + RIGHT)["softmax"] == "there"


def test_any_other_failing_statement_ends_its_cell():
    assert states("print(undefined)\n" + RIGHT)["softmax"] == "missing"
    assert states("import no_such_plots as p\np = 1\np.show()\n" + RIGHT)["softmax"] == "missing"
    assert states("import no_such_plots as p\nprint(other)\n" + RIGHT)["softmax"] == "missing"


def test_what_is_absent_stays_so_in_the_next_cell():
    assert states("import no_such_plots as p", "p.show()\n" + RIGHT)["softmax"] == "there"


@pytest.mark.parametrize(
    "line", ["def f(a=__import__('os')._exit(0)): pass", "@(lambda f: os._exit(0))\ndef f(): pass", "os._exit(0)",
             "def f(a: __import__('os')._exit(0)): pass", "def f() -> __import__('os')._exit(0): pass"],
)  # fmt: skip
def test_the_statement_in_which_python_ended_is_named(line):
    target = ProcessTarget([("s.py", f"import os\nx = 1\n{line}\ny = 2\n")], ("y",))
    (problem,) = target.survey().problems
    target.close()
    assert (problem.kind, problem.place) == ("died", "s.py")
    assert problem.line in (3, 4)  # Python counts a decorated function from its `def`
