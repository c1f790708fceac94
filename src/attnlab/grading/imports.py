"""What nbgrader brings along takes seconds to import; here most of that is saved."""

import sys


def quick() -> None:
    """Import jsonschema without the grammar of internationalised addresses, which it takes 0.9 s to read.

    nbformat checks notebooks with jsonschema; no schema of a notebook asks for such an address. Without the grammar
    jsonschema leaves that one check out, as where its package is not installed. To be called before the first import of
    nbgrader or nbformat; afterwards it changes nothing.
    """
    if "jsonschema" in sys.modules or "rfc3987_syntax" in sys.modules:
        return
    sys.modules["rfc3987_syntax"] = None  # makes its import fail
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        pass
    finally:
        del sys.modules["rfc3987_syntax"]
