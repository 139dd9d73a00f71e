"""Prints the companion's version, its compact-block server's tip and the wallet's balance.

    python3 balance.py path/to/libcompanion.so [data directory]
"""

import ctypes
import json
import sys


class Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("data_dir", ctypes.c_char_p),
        ("config_dir", ctypes.c_char_p),
        ("program", ctypes.c_char_p),
        ("serve_arguments", ctypes.POINTER(ctypes.c_char_p)),
        ("start_timeout_ms", ctypes.c_int32),
    ]


class CompanionError(Exception):
    """A failed call; `problem` is the RFC 9457 record with the stable `code`."""

    def __init__(self, problem):
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.problem = problem


class Companion:
    def __init__(self, library_path, data_dir=None):
        self._library = ctypes.CDLL(library_path)
        self._library.companion_free.argtypes = [ctypes.c_void_p]
        self._library.companion_close.argtypes = [ctypes.c_void_p]
        options = Options(ctypes.sizeof(Options), data_dir and data_dir.encode())
        self._handle = ctypes.c_void_p()
        problem = ctypes.c_void_p()
        code = self._library.companion_open(
            ctypes.byref(options), ctypes.byref(self._handle), ctypes.byref(problem)
        )
        self._take(code, problem)

    def call(self, command, **arguments):
        """Any operation by its name, with the members of its input."""
        answer = ctypes.c_void_p()
        code = self._library.companion_call(
            self._handle, command.encode(), json.dumps(arguments).encode(), ctypes.byref(answer)
        )
        return self._take(code, answer)

    def close(self):
        self._library.companion_close(self._handle)

    def _take(self, code, answer):
        value = None if answer.value is None else json.loads(ctypes.string_at(answer))
        self._library.companion_free(answer)
        if code != 0:
            raise CompanionError(value)
        return value


def main():
    try:
        wallet = Companion(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
    except CompanionError as error:
        sys.exit(str(error))
    for what, command, arguments in [
        ("version", "version", {}),
        ("chain tip", "lwd_chain_tip", {}),
        ("balance", "balance", {"account": 0}),
    ]:
        try:
            print(f"{what}: {json.dumps(wallet.call(command, **arguments))}")
        except CompanionError as error:
            print(f"{what}: {error}")
    wallet.close()


if __name__ == "__main__":
    main()
