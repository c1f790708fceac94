"""How the process starts: ``python -P agent/__main__.py SETTINGS``, with the settings as one JSON object.

The package is loaded from beside this file, under a name that no import statement can spell, and forgotten by
``sys.modules`` before any student code runs: no module of a student's can collide with ours, whatever it is called.
"""

import importlib.util
import json
import os
import sys
import types

NAME = "<agent>"


def load_beside():
    """Return the package that this file belongs to, `serving` included."""
    folder = os.path.dirname(os.path.abspath(__file__))
    where = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location(NAME, where, submodule_search_locations=[folder])
    sys.modules[NAME] = package = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    importlib.import_module(f"{NAME}.serving")
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")
    return package


if __name__ == "__main__":
    load_beside().serving.main(json.loads(sys.argv[1]))
