"""Ways out: a Report as terminal text, notebook HTML or JSON."""
