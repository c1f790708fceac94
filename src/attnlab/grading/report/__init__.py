"""What became of a class: the grader's records read, counted, and shown as text, HTML, CSV or JSON."""
