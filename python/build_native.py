# SPDX-License-Identifier: Apache-2.0
"""build_native.py CDEF OUT.c: write the C of the extension module appell._native. CMake compiles it."""
import contextlib
import sys
from pathlib import Path

from cffi import FFI

ffi = FFI()
ffi.cdef(Path(sys.argv[1]).read_text(encoding="utf-8"))
ffi.set_source("appell._native", "#include <appell/appell.h>")
with contextlib.redirect_stdout(None):
    ffi.emit_c_code(sys.argv[2])
