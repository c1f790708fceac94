"""The host and its tiers: what they hold, what they say when they cannot, and what becomes of losses."""

import contextlib
import os
import re
import signal
import struct
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attnlab import texts
from attnlab.checking import engine
from attnlab.checking.target import Lost
from attnlab.sandbox import agent, scratch, self_test, tiers
from attnlab.sandbox.agent import seccomp
from attnlab.sandbox.host import Host
from attnlab.sandbox.limits import Limits
from attnlab.sandbox.process import ProcessTarget
from attnlab.sandbox.remote import AgentError, StudentError
from attnlab.sandbox.tiers import Tier, TierUnavailable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confined tiers exist on Linux only")

QUICK = Limits(load=1.0, case=0.5, after_timeout=0.3)
SOURCE = """
import os, time
import numpy as np
state = []
WORDS = ["a", 1, {"b": (2.5, None)}]
def double(x): return 2 * np.asarray(x)
def fill(x): x[:] = 7
def both(a, b=1): return {"sum": a + b, "list": [a, b], "none": None, "scalar": np.float32(0.5)}
def fails(x): raise ValueError("no " + str(x))
def generates(): return (i for i in "ab")
def sleeps(): time.sleep(60)
def spins():
    while True: pass
def leaves(): os._exit(3)
def counts(): state.append(1); return len(state)
"""


def usable(name):
    """Return a tier by name; skip, and say why, if this machine has none such."""
    found = [tier for tier in tiers.available() if tier.name == name]
    if not found:
        pytest.skip(f"{name} cannot be used here: {tiers._obstacle(name)}")
    return found[0]


@pytest.fixture(scope="module", params=tiers.NAMES)
def host(request):
    """A host of each tier."""
    with Host(usable(request.param), QUICK, ("numpy",)) as host:
        yield host


@pytest.fixture
def target(host):
    """One submission in it."""
    with host.target([("s.py", SOURCE)], ("double",)) as target:
        yield target


# --- plain calls ------------------------------------------------------------------------------------------------------


def test_a_plain_call_returns_plain_data(target):
    np.testing.assert_array_equal(target.call("double", ([1, 2],)), [2, 4])
    value = target.call("both", (1,), {"b": 2})
    assert value == {"sum": 3, "list": [1, 2], "none": None, "scalar": np.float32(0.5)}
    assert type(value["scalar"]) is np.float32
    assert target.look("WORDS") == (False, ["a", 1, {"b": (2.5, None)}])
    assert target.look("double") == (True, None)


def test_what_a_function_writes_into_an_array_is_seen_by_the_caller(target):
    x = np.zeros(3)
    assert target.call("fill", (x,)) is None
    np.testing.assert_array_equal(x, [7, 7, 7])


def test_an_exception_of_the_student_s_says_what_and_where(target):
    with pytest.raises(StudentError, match=r"^ValueError: no 3 \(s.py, line 9\)$"):
        target.call("fails", (3,))
    with pytest.raises(StudentError, match="AttributeError"):
        target.call("absent")
    with pytest.raises(StudentError, match="generator cannot be handed"):
        target.call("generates")


def test_only_plain_data_is_sent(target):
    with pytest.raises(TypeError):
        target.call("double", (object(),))
    assert target.call("counts") == 1


# --- losses -----------------------------------------------------------------------------------------------------------


def test_a_sleeper_is_lost_by_the_wall_clock_and_a_busy_loop_is_not(host):
    for function, by_wall in (("sleeps", True), ("spins", False)):
        with host.target([("s.py", SOURCE)], ("double",)) as target:
            with pytest.raises(Lost) as lost:
                target.call(function)
            assert (lost.value.kind, target.wall_limited) == ("timeout", by_wall)


def test_after_a_loss_a_fresh_process_loads_the_source_again(target):
    assert [target.call("counts"), target.call("counts")] == [1, 2]
    with pytest.raises(Lost) as lost:
        target.call("leaves")
    assert (lost.value.kind, lost.value.detail) == ("died", "exit")
    assert target.call("counts") == 1


def test_a_submission_whose_time_is_used_up_gets_no_more(host):
    with host.target([("s.py", SOURCE)], ("double",), limits=replace(QUICK, case=0.3, cpu=0.5)) as target:
        seen = []
        for _ in range(6):
            with pytest.raises(Lost) as lost:
                target.call("spins")
            seen.append(lost.value.detail)
    assert seen[-1] == "0.5", "the limit of the whole submission"


def test_one_submission_leaves_nothing_for_the_next(host):
    spoil = "import sys, builtins, numpy\nbuiltins.left = sys.left = numpy.left = 1\nopen('left', 'w').write('x')\n"
    look = (
        "import os, sys, builtins, numpy\nfound = [m.__name__ for m in (sys, builtins, numpy) if hasattr(m, 'left')]\n"
        "files = os.listdir('.')\n"
    )
    for _ in range(2):
        with host.target([("s.py", spoil)], ()) as target:
            assert target.survey().problems == ()
        with host.target([("s.py", look)], ()) as target:
            assert (target.look("found"), target.look("files")) == ((False, []), (False, []))


def test_several_submissions_at_a_time_do_not_meet(host):
    with host.target([("s.py", SOURCE)], ()) as one, host.target([("s.py", SOURCE)], ()) as other:
        assert [one.call("counts"), one.call("counts"), other.call("counts")] == [1, 2, 1]
        one.close()
        assert other.call("counts") == 2


@pytest.mark.parametrize("name", ["bubblewrap", "landlock"])
def test_a_zygote_that_was_killed_is_started_again_and_no_student_blamed(name):
    with Host(usable(name), QUICK, ("numpy",)) as host:
        with host.target([("s.py", SOURCE)], ()) as target:
            assert target.call("counts") == 1
            os.killpg(host._zygote._process.pid, signal.SIGKILL)
            with pytest.raises(AgentError, match="sandbox process ended"):
                target.call("sleeps")
        with host.target([("s.py", SOURCE)], ()) as target:
            assert target.call("counts") == 1




@pytest.mark.parametrize("name", ["bubblewrap", "landlock"])
def test_nothing_outlives_a_grader_that_was_killed(name, tmp_path):
    usable(name)
    code = f"""if True:
        import tempfile, sys
        tempfile.tempdir = {str(tmp_path)!r}
        from attnlab.sandbox import tiers
        from attnlab.sandbox.host import Host
        host = Host(next(t for t in tiers.ALL if t.name == {name!r}), packages=("numpy",))
        target = host.target([("s.py", "def spins():\\n    while True: pass")], ())
        target.survey()
        print(host._zygote._process.pid, target._running.pid, flush=True)
        target.call("spins")
    """
    grader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    pids = [int(word) for word in grader.stdout.readline().split()]
    assert len(pids) == 2
    grader.kill()
    grader.communicate()
    for _ in range(200):
        if not any(Path(f"/proc/{pid}").exists() and _alive(pid) for pid in pids):
            return
        time.sleep(0.05)
    pytest.fail("a process outlived its grader")


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def test_the_folder_of_a_host_that_was_killed_is_removed_by_the_next_one(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    code = f"""if True:
        import os, tempfile
        tempfile.tempdir = {str(tmp_path)!r}
        from attnlab.sandbox import scratch
        open(os.path.join(scratch.Scratch().new(), "file"), "w").close()
        os._exit(9)
    """
    subprocess.run([sys.executable, "-c", code], check=False)
    living = scratch.Scratch()
    (left,) = set(os.listdir(tmp_path)) - {os.path.basename(living.name)}
    for name in (left, living.name):
        os.utime(tmp_path / name, (0, 0))
    scratch.sweep()
    assert os.listdir(tmp_path) == [os.path.basename(living.name)]
    living.close()
    assert os.listdir(tmp_path) == []


# --- choosing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", tiers.NAMES)
def test_a_tier_passes_its_test(name):
    found = self_test.self_test(usable(name))
    assert len(found) >= 8
    assert [attack.name for attack in found if not attack.held] == []


class Sieve(Tier):
    """A tier that lets everything be read and written."""

    def policy(self, found, write, serve=False):
        rules = super().policy(found, write, serve)
        return {**rules, "read": ("/",), "write": ("/",)}


def test_the_test_sees_what_a_tier_lets_through():
    usable("landlock")
    found = self_test.self_test(Sieve("landlock", "tier.landlock"))
    broken = {attack.name for attack in found if not attack.held}
    assert "read" in broken


def test_a_tier_that_does_not_hold_is_not_used(monkeypatch):
    usable("landlock")
    monkeypatch.setattr(tiers, "ALL", (Sieve("landlock", "tier.landlock"), tiers.SPAWN))
    with pytest.raises(TierUnavailable) as refused:
        tiers.choose("landlock")
    assert refused.value.message == "tier.failed_test"
    assert tiers.choose("auto").name == "spawn"


@pytest.mark.parametrize(
    ("change", "name", "message"),
    [
        (lambda patch: None, "vault", "tier.unknown"),
        (lambda patch: patch.setattr(tiers.shutil, "which", lambda name: None), "bubblewrap", "tier.no_bubblewrap"),
        (lambda patch: patch.setattr(tiers.shutil, "which", lambda name: "/bin/false"), "bubblewrap",
         "tier.bubblewrap_refused"),
        (lambda patch: patch.setattr(tiers.confine, "landlock_version", lambda: 0), "landlock", "tier.no_landlock"),
        (lambda patch: patch.setattr(tiers.seccomp, "supported", lambda: False), "landlock", "tier.processor"),
        (lambda patch: patch.setattr(tiers.sys, "platform", "darwin"), "bubblewrap", "tier.linux_only"),
    ],
)  # fmt: skip
def test_who_asks_for_a_tier_that_is_not_there_is_told_why(change, name, message, monkeypatch):
    tiers._obstacle.cache_clear()
    try:
        change(monkeypatch)
        with pytest.raises(TierUnavailable) as refused:
            tiers.choose(name)
    finally:
        monkeypatch.undo()
        tiers._obstacle.cache_clear()
    assert refused.value.message == message
    for lang in texts.LANGUAGES:
        assert texts.say(lang, message, refused.value.facts)


# --- seccomp, by reading the program ----------------------------------------------------------------------------------

X86, ARM = "x86_64", "aarch64"


def verdict(machine, name, *args, pid=77, serving=False, number=None, architecture=None):
    """Return what the filter says to a system call: ``allow``, ``kill`` or the error's number."""
    column, own = seccomp.ARCHITECTURES[machine]
    everything = seccomp.NUMBERS | seccomp.SERVING | seccomp.PRETENDED
    number = everything[name][column] if number is None else number
    data = struct.pack("<iIQ6Q", number, architecture or own, 0, *(args + (0,) * 6)[:6])
    code = seccomp.program(pid, serving, machine)
    accumulator, at = 0, 0
    while True:
        kind, true, false, value = struct.unpack_from("<HBBI", code, 8 * at)
        at += 1
        if kind == seccomp._LOAD:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif kind == seccomp._AND:
            accumulator &= value
        elif kind == seccomp._RETURN:
            return {seccomp._ALLOW: "allow", seccomp._KILL: "kill"}.get(value, value & 0xFFFF)
        else:
            holds = accumulator == value if kind == seccomp._EQUAL else accumulator >= value
            at += true if holds else false


@pytest.mark.parametrize("machine", [X86, ARM])
def test_the_filter_allows_what_computing_needs_and_nothing_that_reaches_others(machine):
    thread = 0x3D0F00
    for name, args, said in (
        ("read", (), "allow"), ("mmap", (), "allow"), ("futex", (), "allow"),
        ("clone", (thread,), "allow"), ("clone", (17,), 1), ("clone", (thread | 0x10000000,), 1), ("clone3", (), 38),
        ("kill", (77, 9), "allow"), ("kill", (76, 9), 1), ("kill", (0xFFFFFFFF, 9), 1), ("tgkill", (1, 1, 9), 1),
        ("openat", (0, 0, 0), "allow"), ("openat", (0, 0, 0o1000), 1), ("openat", (0, 0, 0o1001), "allow"),
        ("openat", (0, 0, 0o1003), 1),
        ("fcntl", (3, 3), "allow"), ("fcntl", (3, 8), 1), ("fcntl", (3, 10), 1), ("fcntl", (3, 1024), 1),
        ("prlimit64", (0,), "allow"), ("prlimit64", (5,), 1), ("prctl", (15,), "allow"), ("prctl", (1,), 1),
        ("socketpair", (1, 1), "allow"), ("socketpair", (1, 0x80801), "allow"), ("socketpair", (1, 2), 1),
        ("socketpair", (16, 1), 1), ("ioctl", (0, 0x5412), 1), ("sendto", (3, 0, 0, 0x20000000), 1),
        ("socket", (2, 1), 1), ("bind", (), 1), ("execve", (), 1), ("fchmod", (), 0),
    ):  # fmt: skip
        assert verdict(machine, name, *args) == said, (name, args)


@pytest.mark.parametrize("machine", [X86, ARM])
def test_a_program_that_serves_is_called_and_calls_nobody(machine):
    connect = {X86: 42, ARM: 203}[machine]
    for name, args, said in (
        ("socket", (2, 1), "allow"), ("socket", (1, 0x80801), "allow"), ("socket", (2, 2), 1), ("socket", (16, 3), 95),
        ("bind", (), "allow"), ("execve", (), "allow"), ("fchmod", (), 0), ("sendmsg", (3, 0, 0x20000000), 1),
    ):  # fmt: skip
        assert verdict(machine, name, *args, serving=True) == said, (name, args)
    assert verdict(machine, "connect", number=connect, serving=True) == 1


def test_other_numberings_are_refused():
    assert verdict(X86, "read", architecture=0x40000003) == "kill"
    assert verdict(X86, "read", number=0x40000000) == 1


HEADERS = {X86: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", ARM: "/usr/include/asm-generic/unistd.h"}


@pytest.mark.parametrize("machine", [X86, ARM])
def test_the_numbers_are_the_kernel_s(machine):
    path = Path(HEADERS[machine])
    if not path.exists():
        pytest.skip(f"the kernel's headers are not installed: {path}")
    lines = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", path.read_text(encoding="utf-8"))
    known = {name: int(number) for name, number in lines}
    if machine == ARM:
        known["newfstatat"] = known.get("newfstatat", known.get("fstatat"))
    column = seccomp.ARCHITECTURES[machine][0]
    for name, numbers in (seccomp.NUMBERS | seccomp.SERVING | seccomp.PRETENDED).items():
        if numbers[column] or (name, machine) == ("read", X86):
            assert known[name] == numbers[column], name


# --- students' own checks ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["os.kill(os.getppid(), 0)", "os.kill(-1, 0)", "os.killpg(os.getpgid(os.getppid()), 0)"]
)
def test_a_student_s_check_is_not_ended_by_the_file_it_checks(line):
    allowed = "os.kill(os.getpid(), 0)\n"
    target = ProcessTarget([("s.py", f"import os\n{allowed}{line}\n")], ())
    (problem,) = target.survey().problems
    target.close()
    assert (problem.kind, problem.line) == ("PermissionError", 3)


# --- what a submission finds around itself ----------------------------------------------------------------------------


AROUND = {
    "help": "help(len)",
    "copyright": "print(copyright)",
    "display": "display(1)",
    "a cell's number": "Out[3]",
    "folders": "os.makedirs('figures/masks'); os.rmdir('figures/masks')",
    "copies": "open('a', 'w').close(); shutil.copy('a', 'b')",
    "a folder for the time being": "with tempfile.TemporaryDirectory() as d: open(d + '/x', 'w').close()",
    "a name": "getpass.getuser()",
    "a time zone": "zoneinfo.ZoneInfo('Europe/Moscow')",
}


@pytest.mark.parametrize("wish", AROUND)
def test_what_code_finds_around_itself_elsewhere_is_here_too(host, wish):
    if wish == "a time zone" and not os.path.isdir("/usr/share/zoneinfo"):
        pytest.skip("this machine knows no time zones")
    source = f"import getpass, os, shutil, tempfile, zoneinfo\n{AROUND[wish]}\ndef there(): return 1\n"
    with host.target((("cell 1", source),), ("there",), name="__main__") as target:
        assert target.survey().problems == ()


@pytest.mark.parametrize(
    "wish",
    ["subprocess.run(['pip', 'list'])", "urllib.request.urlopen('http://127.0.0.1:9')", "os.fork()"],
)
def test_what_is_not_here_ends_no_file(host, wish):
    source = f"import os, subprocess, urllib.request\nfound = {wish}\nprint(found)\ndef there(): return 1\n"
    with host.target((("a.py", source),), ("there",)) as target:
        survey = target.survey()
        assert survey.functions == {"there": "there"}
        assert survey.problems[0].line == 2


# --- the folder -------------------------------------------------------------------------------------------------------


MOVES = """
import os
here = os.getcwd()
open("kept", "w").close()
try:
    os.rename(here, os.path.join(os.path.dirname(here), "stash"))
    MOVED = True
except OSError:
    MOVED = False
def moved(): return MOVED
"""
LISTS = """
import os
def others(): return len(os.listdir("..")) - 1
"""


def test_a_submission_stays_in_its_folder_and_leaves_nothing_to_find(host):
    with host.target((("a.py", MOVES),), ("moved",)) as target, contextlib.suppress(Lost):
        assert target.call("moved") is False
    assert os.listdir(host._scratch.name) == []
    with host.target((("a.py", LISTS),), ("others",)) as target, contextlib.suppress(StudentError):
        assert target.call("others") == 0


def test_what_was_moved_away_is_removed_and_counts_as_too_much(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    place = scratch.Scratch()
    one, other = place.new(), place.new()
    os.makedirs(f"{one}/a/b")
    Path(one, "a", "b", "big").write_bytes(bytes(1 << 20))
    assert scratch.excess(one, Limits(scratch=1 << 19))
    assert not scratch.excess(one, Limits())
    os.rename(one, f"{place.name}/elsewhere")
    assert scratch.excess(one, Limits())
    place.empty(one)
    assert os.listdir(place.name) == [os.path.basename(other)]
    place.close()
    assert not os.path.exists(place.name)


# --- time that is taken in small pieces -------------------------------------------------------------------------------


def test_a_source_that_wastes_time_in_many_statements_is_stopped(host):
    source = "import time\n" + "time.sleep(0.04)\n" * 200 + "def there(): return 1\n"
    with host.target((("a.py", source),), ("there",), limits=Limits(part=1.0)) as target:
        assert target.survey().problems[0].kind == "timeout"
        assert target.wall_limited


@pytest.mark.parametrize("line", ["time.sleep(0.1)", "_ = sum(range(4_000_000))"])
def test_sleep_counts_as_work_does_for_a_part(host, line, lab, cases):
    source = f"import time\nimport numpy as np\ndef causal_mask(T):\n    {line}\n    return np.tri(T, dtype=bool)\n"
    with host.target((("a.py", source),), lab.functions, limits=Limits(part=1.0)) as target:
        result = engine.check(lab, target, cases, parts=("causal_mask",), shrink=False).part("causal_mask")
    assert result.status == "timeout"


def test_questions_to_a_right_helper_do_not_start_the_clock_anew(host, lab, cases, solution):
    """Asked in a loop, the stand-in for a wrong softmax answers at once each time; the case goes on for seconds."""
    source = f"""{solution}
import time
_attention, calls = attention, 0

def softmax(x):
    return x

def attention(Q, K, V, mask=None):
    for _ in range(200):
        softmax(np.zeros((1, 2)))
        time.sleep(0.02)
    return _attention(Q, K, V, mask)
"""
    limits = Limits(case=1.0, after_timeout=1.0)
    with host.target((("a.py", source),), lab.functions, limits=limits) as target:
        report = engine.check(lab, target, cases, parts=("softmax", "attention"), shrink=False)
    assert report.part("attention").status == "timeout"
    assert report.part("attention").right_given_right_helpers is not True


def test_an_answer_of_too_many_items_is_not_decoded():
    many = agent.pack([None] * 1000)
    assert agent.unpack(many, 1000) == [None] * 1000
    for data in (many, agent.pack([[None] * 10] * 100)):
        with pytest.raises(ValueError, match="too many items"):
            agent.unpack(data, 999)


def test_a_name_without_end_is_cut(host, lab, cases):
    source = "Long = type('x' * 1_000_000, (), {})\ndef causal_mask(T): return Long()\n"
    with host.target((("a.py", source),), lab.functions) as target:
        report = engine.check(lab, target, cases, parts=("causal_mask",), shrink=False)
    assert report.part("causal_mask").status == "failed"
    assert len(repr(report.part("causal_mask").checks)) < 20_000
