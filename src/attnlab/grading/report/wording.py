"""The report's words in one language: titles of checks, sentences about misconceptions, numbers."""

from dataclasses import dataclass

from ... import labs, texts
from .statistics import Cluster, Difficulty, Misconception, Overview

TITLES = 3  # of checks, in a row


@dataclass(frozen=True)
class Wording:
    """Words in one language."""

    lang: str

    def say(self, message: str, /, **facts) -> str:
        """Return a sentence."""
        return texts.say(self.lang, message, facts)

    def title(self, lab: str, check: str, recorded: str = "") -> str:
        """Return what a check states; what the record says of one that is not known here."""
        if lab in labs.LABS:
            found = texts.catalogue(self.lang, lab).get(f"title.{check}")
            if found is not None:
                return found
        return texts.visible(recorded or check)

    def difficulty_title(self, entry: Difficulty) -> str:
        """Return what the check of an entry states."""
        return self.title(entry.lab, entry.check, entry.title)

    def misconception(self, entry: Misconception) -> str:
        """Return in a sentence, or one for each of a combination, what the code does."""
        known = texts.misconceptions(self.lang, entry.lab) if entry.lab in labs.LABS else {}
        ids = [entry.id] if entry.id in known else entry.id.split("+")
        return " ".join(known[id]["what"] if id in known else texts.visible(id) for id in ids)

    def cluster(self, entry: Cluster, titles: dict[str, str]) -> str:
        """Return what the members of a cluster share: the first message, or the checks that fail.

        Records hold messages in English only.
        """
        if entry.message and self.lang == "en":
            return texts.visible(entry.message).partition("\n")[0]
        outcome = self.say(f"outcome.{entry.status}")
        if entry.whole:
            return self.say("overview.fails_all", outcome=outcome)
        failing = [f"«{self.title(entry.lab, id, titles.get(id, ''))}»" for id in entry.checks]
        return self.say("overview.fails", outcome=outcome, titles=self.names(failing, TITLES))

    def clusters(self, overview: Overview) -> list[tuple[Cluster, str]]:
        """Return each cluster with what its members share."""
        titles = {entry.check: entry.title for entry in overview.difficulty}
        return [(cluster, self.cluster(cluster, titles)) for cluster in overview.clusters]

    def number(self, value: float) -> str:
        """Return points with at most two digits behind the point, or the comma."""
        text = f"{value:.2f}".rstrip("0").rstrip(".")
        return text.replace(".", ",") if self.lang == "ru" else text

    def percent(self, share: float) -> str:
        """Return a share in per cent: never 0 or 100 where it is a little more or less."""
        value = 100 * share
        shown = round(value)
        if shown == 100 and share < 1:
            shown = 99
        if shown == 0 and share > 0:
            shown = 1
        return f"{shown} %"

    def correlation(self, value: float | None) -> str:
        """Return a correlation with two digits; a dash for none."""
        if value is None:
            return "–"
        text = f"{value:+.2f}".replace("-", "−")
        return text.replace(".", ",") if self.lang == "ru" else text

    def names(self, students, most: int) -> str:
        """Return ids in a row, the first `most` of them and how many more there are."""
        shown = ", ".join(texts.visible(student) for student in students[:most])
        more = len(students) - most
        return self.say("overview.more", names=shown, count=more) if more > 0 else shown
