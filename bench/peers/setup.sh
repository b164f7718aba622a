#!/usr/bin/env bash
# Installs the engines and libraries that Retake is compared with, outside of the tree.
# usage: setup.sh FOLDER   What cannot be installed is told, and is "not installed" in the table.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: setup.sh FOLDER}
mkdir -p "$folder"
packages="libdart-dev libdart-collision-ode-dev libdart-external-ikfast-dev libsdformat-dev pkg-config g++"

say() { echo "bench-peers: $*" >&2; }

install_wheels() {
    local python=$folder/venv/bin/python
    [ -x "$python" ] || python3 -m venv "$folder/venv" || { say "python3 with venv is missing: apt-get install python3-venv"; return; }
    for wheel in mujoco==4.0.0 pybullet==3.2.7; do
        local name=${wheel%%==*}
        "$python" -c "import importlib.metadata as m; assert m.version('$name') == '${wheel##*==}'" 2> /dev/null && continue
        # One after the other: PyBullet has no wheel for every Python, and MuJoCo does not need it.
        "$python" -m pip install --quiet --disable-pip-version-check "$wheel" || say "$wheel could not be installed"
    done
}

install_packages() {
    local missing=""
    for package in $packages; do dpkg -s "$package" > /dev/null 2>&1 || missing="$missing $package"; done
    [ -z "$missing" ] && return
    if ! command -v apt-get > /dev/null; then say "no apt-get here: DART and libsdformat are left out"; return; fi
    if [ "$(id -u)" != 0 ]; then say "run  sudo apt-get install$missing"; return; fi
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing > /dev/null \
        || say "$missing could not be installed"
}

# build PROGRAM SOURCE PACKAGE [LIBRARY…]
build() {
    local program=$folder/$1 source=$here/$2 package=$3
    shift 3
    pkg-config --exists "$package" 2> /dev/null || { rm -f "$program"; return; }
    [ "$program" -nt "$source" ] && return
    # shellcheck disable=SC2046
    g++ -O2 -DNDEBUG -o "$program" "$source" $(pkg-config --cflags "$package") -std=c++17 $(pkg-config --libs "$package") "$@" \
        || { rm -f "$program"; say "${program##*/} could not be built"; }
}

install_wheels
install_packages
build dart_driver dart_driver.cpp dart -ldart-collision-ode
build sdformat_driver sdformat_driver.cpp sdformat12
exit 0
