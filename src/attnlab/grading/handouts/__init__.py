"""Files handed to Gradescope and GitHub as they are, but for the words in double at-signs."""
