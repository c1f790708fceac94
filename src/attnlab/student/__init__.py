"""The commands for students, one module each: plain functions that the command line calls and prints."""
