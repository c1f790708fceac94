"""The lesson's Markdown and code as HTML, with formulas and colours made at build time."""

from functools import cache
from html import escape

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from .formulas import mathml


@cache
def _markdown():
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    dollarmath_plugin(parser, renderer=lambda text, options: mathml(text, options["display_mode"]), allow_labels=False)
    parser.add_render_rule("table_open", lambda *_: '<div class="table"><table>\n')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    parser.add_render_rule("fence", _fence)
    return parser


def _fence(renderer, tokens, number, options, env):
    token = tokens[number]
    if token.info.strip() in ("python", "py"):
        return code(token.content)
    return f'<pre class="code"><code>{escape(token.content)}</code></pre>\n'


def html(markdown: str) -> str:
    """Return a stretch of prose as HTML: headings, paragraphs, lists, tables, formulas, code."""
    return _markdown().render(markdown)


def line(markdown: str) -> str:
    """Return a sentence or a few as HTML without a paragraph around it."""
    return _markdown().renderInline(markdown)


def code(source: str) -> str:
    """Return Python source as HTML in which each kind of word has a class; the style sheet gives it a colour."""
    coloured = highlight(source.strip("\n"), PythonLexer(), HtmlFormatter(nowrap=True))
    return f'<pre class="code"><code>{coloured.rstrip()}</code></pre>\n'
