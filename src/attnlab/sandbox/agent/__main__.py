"""How the process starts: ``python -P agent/__main__.py ROLE SETTINGS``, with the settings as one JSON object.

A role is one of the modules beside this file. The package is loaded under a name that no import statement can spell,
and forgotten by ``sys.modules`` before any student code runs: no module of a student's can collide with ours, whatever
it is called.
"""

import importlib.util
import json
import os
import sys
import types

NAME = "<agent>"


def load_beside(role):
    """Return the module of the package around this file that is called `role`."""
    folder = os.path.dirname(os.path.abspath(__file__))
    where = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location(NAME, where, submodule_search_locations=[folder])
    sys.modules[NAME] = package = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    module = importlib.import_module(f"{NAME}.{role}")
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")
    return module


class Allowed:
    """Finds the packages that submissions may import, and nothing that is installed beside them."""

    def __init__(self, places):
        self._places = places

    def find_spec(self, name, path=None, target=None):
        """Return a spec for a package of ours; what is below it, Python's own machinery finds."""
        place = self._places.get(name)
        if place is None:
            return None
        folder = [os.path.dirname(place)] if os.path.basename(place) == "__init__.py" else None
        return importlib.util.spec_from_file_location(name, place, submodule_search_locations=folder)


if __name__ == "__main__":
    role, settings = sys.argv[1], json.loads(sys.argv[2])
    if "packages" in settings:
        sys.meta_path.append(Allowed(settings["packages"]))
    load_beside(role).main(settings)
