#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image of the autograder.
# It puts attnlab, from the wheel beside this file, and the versions it was tested with into an environment of its own.
set -euo pipefail

root="${ATTNLAB_AUTOGRADER:-/autograder}"
source="$root/source"

# Prints the first Python that is new enough and can make environments.
find_python() {
  local name
  for name in ${ATTNLAB_PYTHON:-python3.13 python3.12 python3.11 python3}; do
    if "$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
}

python="$(find_python)"
if [ -z "$python" ]; then
  apt-get update
  for version in 3.13 3.12 3.11; do
    apt-get install -y "python$version" "python$version-venv" && break
  done
  python="$(find_python)"
fi
if [ -z "$python" ]; then
  echo "attnlab needs Python 3.11 or newer, and this image has none. Choose a newer base image (Ubuntu 22.04 or later)." >&2
  exit 1
fi

"$python" -m venv "$root/venv"
"$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$source/requirements.txt"
"$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall "$source"/attnlab-*.whl
