"""The front end's bundle is what its sources give, and its rules are those of the Python side."""

import ast
import hashlib
import json
import random
import shutil
import subprocess

import pytest
from conftest import ROOT, every_lab, fair

from attnlab.student.quiz import questions

WEB = ROOT / "web"
BUNDLE = ROOT / "src" / "attnlab" / "web" / "bundle"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")


def run_in_node(code, data):
    """Run a piece of JavaScript that sees `data` and prints one JSON value."""
    module = f'import {{ readFileSync }} from "node:fs";\nconst data = JSON.parse(readFileSync(0, "utf8"));\n{code}'
    command = ["node", "--no-warnings", "--input-type=module", "-e", module]
    done = subprocess.run(command, input=json.dumps(data).encode(), capture_output=True, cwd=WEB, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_the_bundle_was_built_from_these_sources():
    names = [f"src/{path.name}" for path in (WEB / "src").iterdir()]
    names += ["build.mjs", "package.json", "package-lock.json"]
    total = hashlib.sha256()
    for name in sorted(names):
        text = (WEB / name).read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{name}\n{hashlib.sha256(text).hexdigest()}\n".encode())
    built = json.loads((BUNDLE / "bundle.json").read_text(encoding="utf-8"))
    assert built["sources"] == total.hexdigest(), "run `npm ci && npm run build` in web/"


def test_the_lock_file_pins_everything_and_names_no_address():
    lock = (WEB / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in lock
    packages = json.loads(lock)["packages"]
    assert all("integrity" in package for name, package in packages.items() if name)
    wanted = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert all(version[0].isdigit() for version in wanted.values())


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here")
def test_building_again_gives_the_same_bundle(tmp_path):
    tools = WEB / "node_modules"
    if not (tools / "esbuild").is_dir():
        shutil.copytree(WEB, tmp_path / "web", ignore=shutil.ignore_patterns("node_modules"))
        command = ["npm", "ci", "--ignore-scripts", "--omit=peer"]
        done = subprocess.run(command, cwd=tmp_path / "web", capture_output=True, check=False, timeout=300)
        if done.returncode:
            pytest.skip(f"npm ci does not work here: {done.stderr.decode()[-200:]}")
        web = tmp_path / "web"
    else:
        web = WEB
    subprocess.run(["node", "build.mjs", str(tmp_path / "bundle")], cwd=web, check=True, timeout=120)
    again = {path.name: path.read_bytes() for path in (tmp_path / "bundle").iterdir()}
    assert again == {path.name: path.read_bytes() for path in BUNDLE.iterdir()}


def answers_to(question):
    """Return answers of every sort: right ones, known slips, odd spellings, and what is no answer."""
    given = ["", "?", "8", "8.0", " 8 ", "+8.", "0,196", "0.196", "1/8", "1 / 0", "12.5%", "1e3", "−3", "(2, 10, 10)"]
    given += ["2x10x10", "[2 10 10]", "2, 10, 10,", "(2,)", "a", "b", "c", "B", "с", "b, c, e", "bce", "e c b", "bb"]
    given += ["z", "a d", "а", "е", "а, с, е"]  # the last three are Cyrillic
    given += [str(value) for value, _ in question.slips]
    given += [str(question.right), ", ".join(map(str, question.right)), str(question.right[0])]
    rng = random.Random(question.id)
    letters = [letter for letter, _, _ in question.options]
    given += [" ".join(rng.sample(letters, rng.randint(1, len(letters)))) for _ in range(8 if letters else 0)]
    return given


@needs_node
@every_lab
def test_the_page_marks_every_answer_as_the_terminal_does(lab):
    asked = questions(lab, "en")
    data = [
        {
            "kind": q.kind, "right": list(q.right), "tolerance": q.tolerance, "how_html": q.how_to_answer(),
            "explanation_html": q.explanation, "answers": answers_to(q),
            "options": [{"letter": letter, "why_html": why} for letter, _, why in q.options],
            "slips": [{"value": value, "why_html": why} for value, why in q.slips],
        }
        for q in asked
    ]  # fmt: skip
    code = (
        'import { judge } from "./src/quiz-marks.js";\n'
        "console.log(JSON.stringify(data.map((q) => q.answers.map((a) => judge(q, a)))));"
    )
    for question, shown in zip(asked, run_in_node(code, data), strict=True):
        for answer, verdict in zip(answers_to(question), shown, strict=True):
            expected = question.judge(answer)
            assert (verdict["understood"], verdict["right"]) == (expected.understood, expected.right), answer
            said = [entry["html"] for entry in verdict["explained"]]
            assert len(said) == len(expected.sentences), answer
            assert all(mine in theirs for mine, theirs in zip(said, expected.sentences, strict=True)), answer


def texts_of(paths):
    """Return the text of each file that is UTF-8 and Python."""
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8-sig")
            ast.parse(text)
        except (UnicodeDecodeError, SyntaxError):
            continue
        yield text


def spans(text):
    """Return ``{name: source}`` of the top-level functions of a file, the last of each name, from its syntax tree."""
    lines = text.split("\n")
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[node.name] = "\n".join(lines[first - 1 : node.end_lineno])
    return found


def without_comments_at_the_end(text):
    """Drop trailing comment lines, which belong to no node of a syntax tree."""
    lines = text.split("\n")
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return "\n".join(lines)


ODD = '''
import functools

def first(): pass


def remarked(
    a,
    b=(1,
2),
):
    c = a
# a remark at the margin
    return b, c
# another behind it

@functools.cache
def second(x): return "def third(y):"


async def not_asked_for(): pass
def first(x):
  """Wins."""
  return x
print(first(1))
'''


@needs_node
@every_lab
def test_the_page_finds_functions_where_python_does(lab):
    paths = [ROOT / "exercises" / f"{lab.name}.py", ROOT / "solutions" / f"{lab.name}.py"]
    files = [ODD, *texts_of([*paths, *fair(lab.name)])]
    assert len(files) > 12
    data = [{"text": text, "names": list(spans(text))} for text in files]
    code = (
        'import { functionText } from "./src/outline.js";\n'
        "console.log(JSON.stringify(data.map((f) => f.names.map((n) => functionText(f.text, n)))));"
    )
    for text, shown in zip(files, run_in_node(code, data), strict=True):
        expected = spans(text)
        assert [without_comments_at_the_end(one) for one in shown] == [
            without_comments_at_the_end(one) for one in expected.values()
        ]


@needs_node
@every_lab
def test_a_reset_puts_back_one_function_and_nothing_else(lab):
    stub = (ROOT / "exercises" / f"{lab.name}.py").read_text(encoding="utf-8")
    solved = (ROOT / "solutions" / f"{lab.name}.py").read_text(encoding="utf-8")
    names = list(lab.functions)
    code = (
        'import { withStubOf } from "./src/outline.js";\n'
        "console.log(JSON.stringify(data.names.map((n) => withStubOf(data.solved, data.stub, n))));"
    )
    for name, text in zip(names, run_in_node(code, {"stub": stub, "solved": solved, "names": names}), strict=True):
        assert spans(text) == spans(solved) | {name: spans(stub)[name]}
    gone = solved.replace(f"def {names[0]}(", "def gone(", 1)
    back = run_in_node(code, {"stub": stub, "solved": gone, "names": names[:1]})[0]
    assert spans(back) == spans(gone) | {names[0]: spans(stub)[names[0]]}
