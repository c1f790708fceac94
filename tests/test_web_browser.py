"""The exercise in the browser, handled as a student would: real Chromium, real Python in it."""

import json

import pytest
from browser import ROOT, Lesson, Server, bare_solution, browser, by_command, missing, site, verdict

pytestmark = [
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
    pytest.mark.xdist_group("browser"),
]
SOLUTION = bare_solution("attention")
STUB = (ROOT / "exercises" / "attention.py").read_text(encoding="utf-8").replace("exercises/attention", "attention")
NO_SPARE = "Object.defineProperty(navigator, 'deviceMemory', { get: () => 2 })"  # one Python is enough for most tests
AGREED = (
    "fair/closed_form", "fair/no_bonus_plain", "fair/strict_float_errors",
    "wrong/changes_inputs", "wrong/exception_in_the_middle", "wrong/misspelt_names", "wrong/returns_nan",
    "wrong/right_once", "wrong/square_batch_mask_as_padding", "wrong/syntax_error", "wrong/sys_exit_in_attention",
    "wrong/untouched_stubs",
)  # fmt: skip


@pytest.fixture(scope="module")
def served():
    """A built site with one lab."""
    with site(["attention"]) as server:
        yield server


@pytest.fixture(scope="module")
def chromium():
    """A running Chromium."""
    with browser() as running:
        yield running


def foreign(asked, *servers):
    """Return the addresses among those asked for that are none of ours."""
    own = (*(server.url for server in servers), "blob:", "data:")
    return [url for url in asked if not url.startswith(own)]


@pytest.fixture(scope="module")
def visit(chromium, served):
    """``visit(path, spare=False, **options) -> Lesson`` in a fresh browser profile; nothing may come from elsewhere."""
    contexts, asked = [], []

    def go(path="en/attention/", spare=False, **options):
        context = chromium.new_context(**({"viewport": {"width": 1280, "height": 800}} | options))
        contexts.append(context)
        if not spare:
            context.add_init_script(NO_SPARE)
        context.on("request", lambda request: asked.append(request.url))
        return Lesson(context.new_page(), served.url + path)

    yield go
    for context in contexts:
        context.close()
    assert foreign(asked, served) == []
    assert any("pyodide.asm.wasm" in url for url in asked), "requests of workers are seen"


@pytest.fixture(scope="module")
def shared(visit):
    """One page with a warm spare that many tests share."""
    return visit(spare=True).ready()


@pytest.fixture
def lesson(shared):
    """The shared page with the stub in its editor, and a look afterwards whether any script has failed."""
    shared.ready()
    shared.put(STUB)
    yield shared
    assert shared.errors == []


@pytest.mark.parametrize("bypass", [False, True], ids=["as it is", "without its policy"])
def test_a_page_can_ask_nobody_else_and_would_be_seen_to(chromium, served, tmp_path, bypass):
    other, asked = Server(tmp_path, shared=True), []
    context = chromium.new_context(bypass_csp=bypass, service_workers="block")
    context.add_init_script(NO_SPARE)
    context.on("request", lambda request: asked.append(request.url))
    lesson = Lesson(context.new_page(), f"{served.url}en/attention/").ready()
    tries = ["page", "worker"]
    lesson.page.evaluate("url => fetch(url + 'page').catch(() => 0)", other.url)
    lesson.put(f"from js import fetch\nfetch('{other.url}worker')\nprint('asked')\n")
    lesson.page.click("#do-run")
    lesson.page.get_by_text("asked", exact=True).wait_for()
    lesson.ready()
    lesson.page.wait_for_timeout(200)
    context.close()
    other.close()
    assert other.asked == [f"/{name}" for name in tries if bypass]
    assert {url.removeprefix(other.url) for url in foreign(asked, served)} == set(tries if bypass else [])


def test_python_from_another_address_is_asked_for_there_and_nowhere_else(chromium, served):
    other, asked = Server(served.folder / "python", shared=True), []
    with site(["attention"], other.url) as here:
        assert not (here.folder / "python").exists()
        context = chromium.new_context()
        context.add_init_script(NO_SPARE)
        context.on("request", lambda request: asked.append(request.url))
        lesson = Lesson(context.new_page(), f"{here.url}en/attention/").ready()
        lesson.put(SOLUTION)
        assert lesson.report()["score"] == 10
        assert foreign(asked, here, other) == []
        assert "/pyodide.asm.wasm" in other.asked
        context.close()
    other.close()


def test_the_lesson_is_complete_without_any_script(visit):
    page = visit(java_script_enabled=False).page
    assert "softmax" in page.inner_text("#lesson")
    assert page.locator("#work").is_hidden()
    assert page.locator("#lesson math").count() > 10
    assert page.locator("figure.cell pre.code").count() > 5
    page.click("nav.langs a[lang=ru]")
    assert page.get_attribute("html", "lang") == "ru"
    assert "внимани" in page.inner_text("#lesson")


def test_the_lab_is_solved_by_typing(lesson):
    assert set(lesson.states.values()) == {"todo"}
    lesson.type(SOLUTION)
    assert lesson.text == SOLUTION
    report = lesson.report()
    assert report["score"] == 10
    assert set(lesson.states.values()) == {"passed"}
    assert "Everything is right." in lesson.results
    assert "10 of 10 points" in lesson.page.inner_text(".points")
    assert lesson.page.locator(".exercise .state.passed").count() == 6


def test_a_wrong_function_is_named_with_its_idea(lesson):
    lesson.put(SOLUTION.replace("math.sqrt(d_k)", "d_k"))
    assert lesson.report()["functions"]["attention"]["misconception"] == "divided_by_d_k"
    assert lesson.states["attention"] == "failed"
    assert lesson.states["softmax"] == "passed"
    assert "Start with attention." in lesson.results
    lesson.page.click(".cm-content")
    lesson.page.keyboard.press("Control+End")
    lesson.page.keyboard.type("# a remark")
    assert lesson.states["attention"] == "failed", "a change elsewhere leaves the verdict"


def test_a_change_takes_the_verdict_back(lesson):
    lesson.put(SOLUTION)
    lesson.report()
    lesson.page.click(".chip[data-part=softmax]")
    lesson.page.keyboard.press("End")
    lesson.page.keyboard.type("  # changed")
    lesson.page.locator(".chip[data-part=softmax][data-state=changed]").wait_for()
    assert lesson.states["causal_mask"] == "passed"
    assert "8 of 10 points" in lesson.page.inner_text(".points")


def test_run_shows_prints_the_last_value_and_errors_with_their_line(lesson):
    lesson.put("import numpy as np\nprint('good morning')\nnp.arange(3) * 2\n")
    lesson.page.click("#do-run")
    lesson.page.locator(".results .value").wait_for()
    assert "good morning" in lesson.results
    assert "array([0, 2, 4])" in lesson.results
    lesson.ready()
    lesson.put("import sys\nprint('careful', file=sys.stderr)\n\n1 / 0\n")
    lesson.page.click("#do-run")
    lesson.page.locator(".results .error").wait_for()
    assert "careful" in lesson.page.inner_text(".results .stderr")
    assert "ZeroDivisionError: division by zero" in lesson.results
    assert lesson.page.inner_text(".cm-wrong") == "1 / 0"
    lesson.page.click(".results .error button")
    assert lesson.page.evaluate("() => document.activeElement.classList.contains('cm-content')")


def test_a_cell_of_the_lesson_runs_with_the_students_functions(lesson):
    lesson.put(SOLUTION.replace("math.sqrt(d_k)", "1"))
    cell = lesson.page.locator("figure[data-cell=worked_example]")
    before = cell.locator(".baked").inner_text()
    cell.get_by_role("button").click()
    lesson.ready()
    after = cell.locator(".cell-out").inner_text()
    assert cell.locator(".baked").is_hidden()
    assert before != after
    assert "0.88" in after  # e² : 1 without the scale


def test_hints_come_one_at_a_time(lesson):
    page = lesson.page
    page.click(".chip[data-part=softmax]")
    page.click("#do-hint")
    assert "hint 1 of 3" in lesson.results
    page.get_by_role("button", name="Next hint").click()
    page.click("#do-hint")
    assert "hint 3 of 3" in lesson.results
    assert page.locator(".hints li").count() == 3
    assert page.get_by_role("button", name="Next hint").count() == 0


def test_reset_puts_back_one_function_or_all_and_undo_takes_it_back(lesson):
    page = lesson.page
    lesson.put(SOLUTION)
    page.click(".chip[data-part=sigmoid]")
    page.click("#do-reset")
    page.get_by_role("button", name="Only sigmoid").click()
    assert lesson.text.count("raise NotImplementedError()") == 1
    assert lesson.states["sigmoid"] == "todo"
    page.get_by_role("button", name="Undo").click()
    assert lesson.text == SOLUTION
    page.click("#do-reset")
    page.get_by_role("button", name="The whole file").click()
    assert lesson.text == STUB
    page.get_by_role("button", name="Undo").click()
    assert lesson.text == SOLUTION


def test_stop_ends_an_endless_loop_at_once_and_python_is_there_again(lesson):
    page = lesson.page
    page.wait_for_timeout(4000)  # the spare one gets warm
    lesson.put("print('begun')\nwhile True:\n    pass\n")
    page.click("#do-run")
    page.get_by_text("begun", exact=True).wait_for()
    took = page.evaluate(
        """() => new Promise((resolve) => {
            const begun = performance.now();
            new MutationObserver(() => {
                if (document.documentElement.dataset.python === 'ready') resolve(performance.now() - begun);
            }).observe(document.documentElement, {attributes: true});
            document.getElementById('do-stop').click();
        })"""
    )
    assert took < 2000  # milliseconds; half a second on a quiet machine
    assert "Stopped." in lesson.results
    assert "while True" in lesson.text
    lesson.put("print(6 * 7)\n")
    page.click("#do-run")
    page.get_by_text("42", exact=True).wait_for()


def test_an_endless_loop_costs_its_part_alone(lesson):
    lesson.put(SOLUTION.replace("def causal_mask(T):", "def causal_mask(T):\n    while T > 2: pass"))
    card = lesson.page.locator(".exercise[data-part=causal_mask]")
    card.get_by_role("button", name="Check").click()
    card.locator(".state.timeout").wait_for()
    lesson.ready()
    assert "stopped after" in card.inner_text()
    report = lesson.report(".exercise[data-part=sigmoid] .row button:nth-child(2)")
    assert report["functions"]["sigmoid"]["status"] == "passed"


def test_a_huge_print_is_cut(lesson):
    lesson.put("for i in range(10**6):\n    print('line', i)\nprint('end')\n")
    lesson.page.click("#do-run")
    lesson.page.locator(".results .note").wait_for()
    lesson.ready()
    assert "more characters were not shown" in lesson.results
    assert 90_000 < len(lesson.page.inner_text(".results pre.out")) < 110_000


def test_a_memory_bomb_and_a_crash_leave_the_page_alive(lesson):
    lesson.put("import numpy as np\nkept = []\nwhile True:\n    kept.append(np.ones(20_000_000))\n")
    lesson.page.click("#do-run")
    lesson.page.locator(".results :is(.error, .note)").wait_for()
    assert "emory" in lesson.results
    lesson.ready()
    lesson.put("import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return [f(n + 1)]\nf(0)\n")
    lesson.page.click("#do-run")
    lesson.page.locator(".results :is(.error, .note)").wait_for()
    lesson.ready()
    lesson.put(SOLUTION)
    assert lesson.report()["score"] == 10


def test_what_a_file_changes_in_numpy_is_gone_at_the_next_check(lesson):
    lesson.put(SOLUTION + "\nnp.exp = lambda x: 0 * x\nnp.where = None\n")
    assert lesson.report()["score"] < 10
    lesson.put(SOLUTION)
    assert lesson.report()["score"] == 10


def test_page_and_command_agree(lesson, tmp_path):
    for name in AGREED:
        kind, _, stem = name.partition("/")
        lesson.put((ROOT / "tests" / kind / "attention" / f"{stem}.py").read_text(encoding="utf-8"))
        shown = verdict(lesson.report())
        saved, text = lesson.saved()
        assert saved == "attention.py"
        assert shown == verdict(by_command(text, "attention", tmp_path)), name


def test_a_notebook_goes_out_and_comes_back(lesson):
    lesson.put(SOLUTION)
    lesson.ready()
    name, text = lesson.saved("Save as a notebook")
    assert name == "attention.ipynb"
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    written = [cell for cell in cells if cell["metadata"].get("attnlab", {}).get("role") == "solution"]
    assert len(written) == 5
    assert "NotImplementedError" not in "".join("".join(cell["source"]) for cell in written)
    lesson.put(STUB)
    assert "is in the editor" in lesson.put(text, "ipynb")
    assert lesson.report()["score"] == 10


def test_a_file_that_is_no_python_is_refused_with_a_reason(lesson):
    assert "saved web page" in lesson.put("<!doctype html><html></html>", "ipynb")
    assert lesson.text == STUB


def test_the_quiz_explains_answers_and_remembers_them(lesson):
    question = lesson.page.locator("form[data-question=std]")
    question.locator("input").fill("64")
    question.get_by_role("button").click()
    assert "Not quite." in question.inner_text()
    assert "64 is the variance" in question.inner_text()
    question.locator("input").fill("8")
    question.locator("input").press("Enter")
    assert "Right." in question.locator(".verdict").inner_text()
    choice = lesson.page.locator("form[data-question=why_inf]")
    choice.locator("input[value=c]").check()
    choice.get_by_role("button").click()
    assert "Right." in choice.locator(".verdict").inner_text()
    assert "2 of 6 right." in lesson.page.inner_text("#quiz .score")


def weights(lesson):
    """Return the numbers beside the bars."""
    return [line.inner_text() for line in lesson.page.locator("#explorer .weights .number").all()]


def test_the_explorer_follows_every_control_and_the_students_functions(lesson):
    page = lesson.page
    explorer = page.locator("#explorer")
    explorer.scroll_into_view_if_needed()
    lesson.put(SOLUTION)
    lesson.report()
    explorer.get_by_text("Computed by your own functions.").wait_for()
    seen = [weights(lesson)]

    def changed():
        page.wait_for_timeout(250)
        seen.append(weights(lesson))
        assert seen[-1] != seen[-2]

    explorer.locator("[data-setting=scale]").click()
    changed()
    explorer.locator("[data-setting=mask]").click()
    explorer.get_by_role("radio").first.click()
    changed()
    explorer.locator("select").select_option("2")
    changed()
    explorer.locator("input[type=range]").press("ArrowRight")
    changed()
    box = explorer.locator(".plane").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 40, steps=5)
    page.mouse.up()
    changed()
    explorer.locator(".query").press("ArrowLeft")
    changed()
    explorer.locator("#x-words").fill("one two three")
    assert "Four to eight words" in explorer.inner_text()
    explorer.locator("#x-words").fill("one two three four five")
    changed()
    assert len(seen[-1]) == 5
    explorer.locator("[data-setting=gate]").click()
    explorer.locator(".through").first.wait_for(state="attached")
    assert sum(float(number) for number in seen[-1] if number != "−∞") == pytest.approx(1, abs=0.01)
    lesson.put(SOLUTION.replace("math.sqrt(d_k)", "d_k"))
    lesson.report()
    page.wait_for_timeout(250)
    assert "Computed by your own functions." not in explorer.inner_text()


def test_it_can_be_done_by_keyboard_alone(visit):
    lesson = visit()
    page = lesson.page
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.getAttribute('href')") == "#lesson"
    lesson.ready()
    for _ in range(400):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.classList.contains('cm-content')"):
            break
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(SOLUTION)
    page.keyboard.press("Control+Shift+Enter")
    page.get_by_text("Everything is right.").wait_for()
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("# indented")
    assert lesson.text.endswith("\n    # indented")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.getAttribute('role')") == "separator"
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "results"


def test_the_other_language_has_the_same_work(visit):
    lesson = visit().ready()
    lesson.put(SOLUTION)
    lesson.report()
    lesson.page.click("nav.langs a[lang=ru]")
    lesson.page.locator("#do-check").wait_for()
    assert lesson.page.inner_text("#do-check") == "Проверить"
    assert lesson.states["softmax"] == "passed"
    lesson.ready()
    lesson.put(SOLUTION.replace("math.sqrt(d_k)", "d_k"))
    lesson.report()
    assert "Начните с" in lesson.results


def test_after_the_first_visit_it_works_without_network(visit, served):
    lesson = visit().ready()
    lesson.page.wait_for_selector("html[data-kept=true]", state="attached")
    served.away = True
    try:
        lesson.page.reload()
        lesson.ready()
        lesson.put(SOLUTION)
        assert lesson.report()["score"] == 10
    finally:
        served.away = False


@pytest.fixture
def without_python(served):
    """A server that does not have all of Python: pages are there at once, and cost little."""
    served.failing = {"python_stdlib.zip"}
    yield served
    served.failing = set()


def test_a_failed_download_says_so_and_can_be_tried_again(visit, without_python):
    lesson = visit()
    lesson.page.locator("#retry").wait_for()
    assert "python_stdlib.zip" in lesson.page.inner_text(".status")
    assert lesson.page.locator("#do-run").is_disabled()
    lesson.type("x = 1\n")
    without_python.failing = set()
    lesson.page.click("#retry")
    lesson.ready()
    assert lesson.text == "x = 1\n"


def test_a_reload_keeps_the_work_and_the_theme(visit, without_python):
    lesson = visit()
    lesson.type("x = 1\n")
    lesson.page.click("#do-hint")
    lesson.page.click("#theme")
    lesson.page.reload()
    assert lesson.text == "x = 1\n"
    lesson.page.click("#do-hint")
    assert "hint 2 of 3" in lesson.results
    assert lesson.page.get_attribute("html", "data-theme") == "dark"


def test_on_a_phone_the_work_is_a_panel_over_the_lesson(visit, without_python):
    lesson = visit(viewport={"width": 360, "height": 720}, has_touch=True, is_mobile=True)
    page = lesson.page
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    wide = """() => [...document.querySelectorAll("#lesson pre.code")].map(
        (pre) => [pre.scrollWidth > pre.clientWidth, pre.tabIndex])"""
    assert set(map(tuple, page.evaluate(wide))) == {(True, 0), (False, -1)}, "what is too wide is reached by keyboard"
    assert page.locator("#work").is_hidden()
    page.click("#open-work")
    assert page.locator(".cm-content").is_visible()
    lesson.put(SOLUTION)
    assert page.evaluate("() => document.getElementById('work').scrollWidth") <= 360
    page.get_by_role("button", name="Back to the lesson").click()
    assert page.locator("#work").is_hidden()
    page.locator(".exercise[data-part=softmax]").get_by_role("button", name="Open in the editor").click()
    page.locator(".chip[data-part=softmax][aria-current=true]").wait_for()
