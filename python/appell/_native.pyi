"""What cffi makes of native.cdef."""
from typing import Any, Callable, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

class _FFI:
    def def_extern(self, *, error: int = ..., onerror: Callable[..., Any] = ...) -> Callable[[_Function], _Function]: ...
    def __getattr__(self, name: str) -> Any: ...

ffi: _FFI
lib: Any
