"""Every sentence exists in both languages and asks for the same facts."""

import re

import pytest
from conftest import ROOT

from attnlab import labs, texts

CATALOGUES = [None, *labs.LABS]
SOURCES = [p for p in (ROOT / "src" / "attnlab").rglob("*.py")]


@pytest.mark.parametrize("lab", CATALOGUES)
def test_both_languages_have_the_same_ids(lab):
    assert set(texts.catalogue("en", lab)) == set(texts.catalogue("ru", lab))


@pytest.mark.parametrize("lab", CATALOGUES)
def test_both_languages_ask_for_the_same_facts(lab):
    english, russian = texts.catalogue("en", lab), texts.catalogue("ru", lab)
    different = [id for id in english if texts.placeholders(english[id]) != texts.placeholders(russian[id])]
    assert different == []


@pytest.mark.parametrize("lab", CATALOGUES)
@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_no_sentence_is_empty_and_russian_is_russian(lab, lang):
    for id, sentence in texts.catalogue(lang, lab).items():
        assert sentence, id
        words = re.sub(r"`[^`]*`|\{[^}]*\}|[\w.]*\[[^]]*\]", "", sentence)
        if lang == "ru" and re.search(r"[A-Za-z]{2}", words):
            assert re.search(r"[а-яё]", sentence) or "{" in sentence, id


@pytest.mark.parametrize("name", labs.LABS)
@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_every_check_has_a_title(name, lang):
    lab = labs.get(name)
    titles = [texts.say(lang, f"title.{check.id}", lab=name) for check in lab.checks]
    assert len(set(titles)) == len(lab.checks)


def test_every_message_that_the_code_names_exists():
    known = set(texts.catalogue("en")).union(*(texts.catalogue("en", lab) for lab in labs.LABS))
    groups = {id.partition(".")[0] for id in known}
    named = set()
    for path in SOURCES:
        for id in re.findall(r'"(([a-z_]+)\.[a-z_]+)"', path.read_text(encoding="utf-8")):
            if id[1] in groups and not id[0].endswith((".py", ".toml")):
                named.add(id[0])
    part_checks = {check.id for lab in labs.LABS for check in labs.get(lab).checks}
    assert named - known - part_checks == set()
    assert len(named) > 30


def test_no_sentence_is_there_that_nothing_says():
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    built = ("title.", "outcome.", "problem.", "web.lab_")  # ids put together from what they speak of
    endings = ("timeout", "too_long", "died", "crashed", "babbled", "count_many", "count_one")
    put_together = {f"fault.{ending}" for ending in endings}
    unused = {id for id in texts.catalogue("en") if not id.startswith(built) and id not in code}
    page = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "web" / "src").rglob("*.js"))
    unused = {id for id in unused if f'"{id.removeprefix("web.page_")}"' not in page}
    assert unused - put_together == set()


def test_the_scripts_of_the_web_pages_say_only_what_there_is():
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "web" / "src").glob("*.js"))
    said = {f"web.page_{id}" for id in re.findall(r'\bsay\("(\w+)"', pages)}
    assert len(said) > 40
    assert said - set(texts.catalogue("en")) == set()


def test_numbers_are_shown_short():
    assert [texts.show(v) for v in (0.123456, 2.0, float("nan"), -float("inf"), 12345678.9)] == [
        "0.1235", "2", "NaN", "-inf", "1.235e+07",
    ]  # fmt: skip


def test_the_locale_decides_the_language(monkeypatch):
    for name in ("ATTNLAB_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    assert texts.default_language() == "ru"
    monkeypatch.setenv("ATTNLAB_LANG", "en")
    assert texts.default_language() == "en"
    monkeypatch.delenv("ATTNLAB_LANG")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert texts.default_language() == "en"
