"""What cffi makes of native.cdef."""
from typing import Any

ffi: Any
lib: Any
