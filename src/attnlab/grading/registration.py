"""Entering an assignment into the gradebook as `nbgrader generate_assignment` does, without touching ``release/``."""

from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import SaveCells

from .course import Course
from .gradebook import open_gradebook


def register(course: Course, assignment: str) -> None:
    """Run nbgrader's own steps on each source notebook, up to the one that saves its cells."""
    import nbformat

    with open_gradebook(course.db_url, course.course_id) as gradebook:
        gradebook.update_or_create_assignment(assignment)
    steps = GenerateAssignment(coursedir=course.directory, config=course.config).preprocessors
    for path in sorted(course.folder("source", ".", assignment).glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        resources = {
            "nbgrader": {"notebook": path.stem, "assignment": assignment, "student": ".", "db_url": course.db_url}
        }
        for step in steps:
            preprocessor = step(parent=None, config=course.config)
            notebook, resources = preprocessor.preprocess(notebook, resources)
            if isinstance(preprocessor, SaveCells):
                break
