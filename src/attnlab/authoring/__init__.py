"""Everything generated is generated here: labs -> exercises/, solutions/, notebooks/ and grading/source/.

Maintainers only. Needs the extra ``author`` (nbformat), which nothing outside this folder imports.
"""

from attnlab.authoring.files import build
from attnlab.authoring.lesson import BuildError

__all__ = ["BuildError", "build"]
