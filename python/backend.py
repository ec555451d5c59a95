# SPDX-License-Identifier: Apache-2.0
"""The build backend of `pip install .` (PEP 517): CMake builds the package, this puts it into a wheel.

The wheel is tagged cp39-abi3: the extension module keeps to the limited API, so that one file serves every Python
from 3.9. It is linked with SUNDIALS, HDF5, libyaml, libxml2, jansson and LAPACK of the system, which must be there
(tools/packages-build.txt has their names in Debian).
"""
import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "wheel"


def version():
    return re.search(r"project\(\s*appell\s+VERSION\s+([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def metadata():
    return (f"Metadata-Version: 2.1\nName: appell\nVersion: {version()}\n"
            "Summary: Dynamics of robots that bend, roll, slither and close on themselves\n"
            "License: Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: numpy\nRequires-Dist: cffi\n"
            "Provides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n"
            "Description-Content-Type: text/markdown\n\n" + (ROOT / "README.md").read_text(encoding="utf-8"))


def tag():
    return "cp39-abi3-" + re.sub("[-.]", "_", sysconfig.get_platform())


def wheel_file():
    return f"Wheel-Version: 1.0\nGenerator: appell\nRoot-Is-Purelib: false\nTag: {tag()}\n"


def compile_package():
    """The package as CMake puts it together, in <build>/python/appell."""
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DAPPELL_PYTHON=ON",
                    f"-DAPPELL_PYTHON3={sys.executable}"], check=True)
    subprocess.run(["cmake", "--build", BUILD, "--target", "appell_python", "--parallel", str(os.cpu_count() or 1)],
                   check=True)
    return BUILD / "python" / "appell"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = Path(metadata_directory) / f"appell-{version()}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(metadata(), encoding="utf-8")
    (info / "WHEEL").write_text(wheel_file())
    return info.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = compile_package()
    info = f"appell-{version()}.dist-info"
    files = {f"appell/{p.name}": p.read_bytes() for p in sorted(package.iterdir()) if p.is_file()}
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = wheel_file().encode()
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    name = f"appell-{version()}-{tag()}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)  # the date of ZipInfo: same bytes
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"appell-{version()}"
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    info = Path(sdist_directory) / "PKG-INFO"
    info.write_text(metadata(), encoding="utf-8")
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as out:
        for path in filter(None, listed):
            out.add(ROOT / path, f"{name}/{path}", recursive=False)
        out.add(info, f"{name}/PKG-INFO")
    info.unlink()
    return f"{name}.tar.gz"
