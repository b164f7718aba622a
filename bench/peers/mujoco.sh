#!/usr/bin/env bash
# Puts the library of MuJoCo, out of its Python package, into FOLDER/lib to link with.
# usage: mujoco.sh FOLDER
set -eu
folder=${1:?usage: mujoco.sh FOLDER}
# The version that the bindings are made for: they refuse any other.
version=3.17.0
[ -e "$folder/lib/libmujoco.so" ] && [ -e "$folder/lib/libmujoco.so.$version" ] && exit 0
mkdir -p "$folder/lib" "$folder/wheel"
[ -x "$folder/venv/bin/python" ] || python3 -m venv "$folder/venv" \
    || { echo "python3 with venv is missing: apt-get install python3-venv" >&2; exit 1; }
"$folder/venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps \
    --dest "$folder/wheel" "mujoco==$version"
"$folder/venv/bin/python" - "$folder" "$version" << 'END'
import glob, pathlib, sys, zipfile
folder, version = pathlib.Path(sys.argv[1]), sys.argv[2]
wheel = sorted(glob.glob(str(folder / "wheel" / f"mujoco-{version}-*.whl")))[-1]
library = f"libmujoco.so.{version}"
with zipfile.ZipFile(wheel) as archive:
    (folder / "lib" / library).write_bytes(archive.read(f"mujoco/{library}"))
END
ln -sf "libmujoco.so.$version" "$folder/lib/libmujoco.so"
echo "mujoco: $folder/lib/libmujoco.so.$version" >&2
