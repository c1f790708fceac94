"""Run the demo: ``python -m attnlab.grading.demo [--root DIR] [--folder DIR]``."""

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console

from attnlab.grading.demo.run import Demo, DemoError, run_demo
from attnlab.grading.demo.table import results_table

PIPED_WIDTH = 160  # where nobody's terminal sets one


def main(arguments: list[str] | None = None) -> int:
    """Run the demo, print the table and return the exit code: 0, or 3 when the grader itself broke."""
    parser = argparse.ArgumentParser(prog="attnlab.grading.demo", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(), help="the repository (default: the current folder)")
    parser.add_argument("--folder", type=Path, help="where to work (default: .demo in the repository)")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    folder = (options.folder or root / ".demo").resolve()

    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPED_WIDTH)
    started = time.perf_counter()
    demo = Demo(root, folder, console)
    try:
        outcomes = run_demo(demo)
    except DemoError as error:
        console.print(str(error), style="red", highlight=False, markup=False)
        return 3
    for outcome in outcomes:
        console.print(f"\n[bold]Assignment {outcome.assignment}[/bold]", highlight=False)
        console.print(results_table(outcome.max_points, outcome.results, outcome.about, console.width))
    console.print(f"Feedback for students  {_shown(demo.feedback)}/STUDENT/ASSIGNMENT/ASSIGNMENT.html")
    console.print(f"Grades                 {_shown(demo.grades)}")
    console.print(f"Gradebook              {_shown(demo.course / 'gradebook.db')}")
    console.print(f"nbgrader's own words   {_shown(demo.folder / 'logs')}")
    results = [result for outcome in outcomes for result in outcome.results]
    console.print(f"[dim]{len(results)} notebooks in {time.perf_counter() - started:.0f} s[/dim]", highlight=False)
    return 3 if any(result.grader_broke for result in results) else 0


def _shown(path: Path) -> str:
    """Return a path as seen from the current folder, where it lies below it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


if __name__ == "__main__":
    sys.exit(main())
