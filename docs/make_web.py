"""Makes the pictures of the lesson in the browser: docs/web-*.png.

Run: PYTHONPATH=tests python docs/make_web.py [FOLDER]
"""

import io
import sys
from pathlib import Path

from browser import ROOT, Lesson, browser, missing, site
from PIL import Image

WIDE = {"viewport": {"width": 1366, "height": 820}}
PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
SOLUTION = (ROOT / "solutions" / "attention.py").read_text(encoding="utf-8")
WRONG = SOLUTION.replace("np.copyto(scores, -np.inf, where=~mask)", "np.copyto(scores, 0, where=~mask)")


def save(lesson, path, width):
    """Take a picture of what is in sight; few colours are enough."""
    lesson.page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(lesson.page.screenshot())).convert("RGB")
    picture = picture.resize((width, round(picture.height * width / picture.width)), Image.LANCZOS)
    picture.quantize(160, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def judged(lesson, source):
    """Check a file, and look at its `attention`."""
    lesson.ready()
    lesson.put(source)
    lesson.report()
    lesson.page.locator(".notice .close").click()
    lesson.page.click(".chip[data-part=attention]")


def look_at(lesson, selector):
    """Bring a place of the lesson to the top."""
    lesson.page.locator(selector).evaluate("(element) => element.scrollIntoView({behavior: 'instant'})")


def main(folder):
    """Make them all."""
    assert WRONG != SOLUTION
    if missing():
        raise SystemExit(f"This needs a browser: {missing()}.")
    with site() as server, browser() as chromium:

        def visit(lang="en", options=WIDE):
            return Lesson(chromium.new_context(**options).new_page(), f"{server.url}{lang}/attention/").ready()

        lesson = visit()
        save(lesson, folder / "web-fresh.png", 1100)
        judged(lesson, WRONG)
        look_at(lesson, ".exercise[data-part=attention]")
        lesson.page.locator(".exercise[data-part=attention]").get_by_role("button", name="Check").click()
        lesson.ready()
        save(lesson, folder / "web-wrong.png", 1100)
        judged(lesson, SOLUTION)
        question = lesson.page.locator("form[data-question=std]")
        question.locator("input").fill("64")
        question.locator("button").click()
        look_at(lesson, "form[data-question=std]")
        save(lesson, folder / "web-quiz.png", 1100)
        lesson.page.click("#theme")
        look_at(lesson, "#explorer")
        save(lesson, folder / "web-dark.png", 1100)
        russian = visit("ru")
        judged(russian, WRONG)
        look_at(russian, "#hiding")
        save(russian, folder / "web-ru.png", 1100)
        phone = visit(options=PHONE)
        phone.page.click("#open-work")
        judged(phone, WRONG)
        save(phone, folder / "web-phone.png", 540)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs")
