"""Photograph the notebook card of three faults, on light and on dark: writes ``card.png`` beside this file.

Needs playwright and a Chromium: ``python docs/make_card.py /usr/bin/chromium``. Nothing else in the project does.
"""

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from attnlab.emit import html
from attnlab.emit.words import Words
from attnlab.labs.attention.misconceptions import MISCONCEPTIONS
from attnlab.notebook import judge

FAULTS = (("no_scale", "en"), ("one_future_token", "ru"), ("softmax_over_queries", "en"))
THEMES = {"#ffffff": "#212121", "#111111": "#e0e0e0"}  # JupyterLab's own colours
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]


def page() -> str:
    """Return one column of cards for each theme."""
    wrong = {m.id: m for m in MISCONCEPTIONS}
    cards = []
    for id, lang in FAULTS:
        report = judge(wrong[id].part, wrong[id].function, "attention")
        cards.append(html.card(Words(report, lang), report.part(wrong[id].part)))
    columns = "".join(
        f'<div style="background:{paper};color:{ink};padding:12px;width:560px">{"<br>".join(cards)}</div>'
        for paper, ink in THEMES.items()
    )
    style = "display:inline-flex;font:13px/1.5 sans-serif"
    return f'<meta charset="utf-8"><body style="margin:0"><div id="all" style="{style}">{columns}</div>'


if __name__ == "__main__":
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=sys.argv[1], args=FLAGS)
        tab = browser.new_page(viewport={"width": 1200, "height": 900})
        tab.set_content(page())
        picture = tab.locator("#all").screenshot()
        browser.close()
    few = Image.open(io.BytesIO(picture)).convert("RGB").quantize(96)  # colours: a third of the size
    few.save(Path(__file__).with_name("card.png"), optimize=True)
