"""DispatchKey and DispatchKeySet as the debugger knows them: core/dispatch_key.h, core/dispatch_key_set.h.

A set is one word: bits of backends low, bits of functionalities above them. Which key is where follows from the
enumerators in the debug information, so that a new key needs no change here.
"""

import gdb

from glassbox_memory import enum_names, enum_values

KEY = "gb::DispatchKey"

# Alias -> the functionalities that it stands for, as getRuntimeDispatchKeySet has it.
AUTOGRAD = ("AutogradFunctionality", "AutogradOther")
BACKENDS = ("Dense", "FPGA", "Quantized", "Sparse")
MEMBERS = {
    "Autograd": AUTOGRAD,
    "CompositeExplicitAutograd": BACKENDS,
    "CompositeImplicitAutograd": BACKENDS + AUTOGRAD + ("Functionalize",),
}
ALIASES = tuple(MEMBERS)


class Keys:
    """The layout of the enum and of a set, read once per program."""

    _cached = None

    @classmethod
    def get(cls):
        if cls._cached is None:
            cls._cached = cls()
        return cls._cached

    @classmethod
    def forget(cls):
        cls._cached = None

    def __init__(self):
        self.names, self.values = enum_names(KEY), enum_values(KEY)
        self.n_backends = enum_values("gb::BackendComponent")["EndOfBackendKeys"]
        self.backend_bits = (1 << self.n_backends) - 1
        self.n_functionalities = self.values["EndOfFunctionalityKeys"]
        self.all_bits = (1 << (self.n_backends + self.n_functionalities - 1)) - 1
        self.starts = {  # functionality with a slot per backend -> the number before its first runtime key
            k: self.values[f"StartOf{self.names[k]}Backends"]
            for k in range(1, self.n_functionalities)
            if f"StartOf{self.names[k]}Backends" in self.values
        }
        self.slots = {}  # runtime key -> its slot in every dispatch table
        for k in range(self.n_functionalities):
            for key in self.runtime_keys_of(k):
                self.slots[key] = len(self.slots)

    def runtime_keys_of(self, functionality):
        if functionality not in self.starts:
            return [functionality]
        return [self.starts[functionality] + b for b in range(1, self.n_backends + 1)]

    def name(self, key):
        return self.names.get(int(key), f"DispatchKey({int(key)})")

    def functionality(self, key):
        """AutogradCUDA -> AutogradFunctionality; an alias -> 0."""
        if key <= self.n_functionalities:
            return key
        return next((f for f in self.starts if self.backend(key, f)), 0)

    def backend(self, key, functionality=None):
        """1 for CPU, AutogradCPU, ...; 0 for a key without a backend."""
        for f in self.starts if functionality is None else (functionality,):
            if 0 < key - self.starts[f] <= self.n_backends:
                return key - self.starts[f]
        return 0

    def bits(self, key):
        functionality, backend = self.functionality(key), self.backend(key)
        word = 1 << (self.n_backends + functionality - 1) if functionality else 0
        return word | (1 << (backend - 1) if backend else 0)

    def highest(self, bits):
        """The runtime key that is served first; Undefined for a set without functionality."""
        functionality = (bits >> self.n_backends).bit_length()
        backend = (bits & self.backend_bits).bit_length()
        return self.starts[functionality] + backend if functionality in self.starts and backend else functionality

    def slot(self, bits):
        """The slot of the highest key. A functionality with a slot per backend, but no backend: its first one."""
        key = self.highest(bits)
        return self.slots[self.starts[key] + 1 if key in self.starts else key]

    def minus(self, bits, other):
        """Takes functionalities away, never backends."""
        return bits & (self.backend_bits | ~other)

    def alias_has(self, alias, key):
        """Does a kernel registered at the alias of that name count for runtime key `key`? (isIncludedInAlias)"""
        return key != 0 and self.names[self.functionality(key)] in MEMBERS[alias]

    def covers(self, asked, key):
        """Does the word of a user, a runtime key, functionality or alias, mean the runtime key `key`?"""
        if asked in ALIASES:
            return self.alias_has(asked, key)
        number = self.values.get(asked)
        if number is None:
            runtime = ", ".join(self.name(k) for k in self.slots)
            raise gdb.GdbError(f"no dispatch key is called {asked}. There are {runtime}; {', '.join(ALIASES)}")
        return number in (key, self.functionality(key))

    def set_text(self, bits):
        backends = [b for b in range(1, self.n_backends + 1) if bits >> (b - 1) & 1]
        words = []
        for k in range(1, self.n_functionalities):
            if not bits >> (self.n_backends + k - 1) & 1:
                continue
            runtime = [self.starts[k] + b for b in backends] if k in self.starts and backends else [k]
            words += [self.name(key) for key in runtime]
        return "{" + ", ".join(words) + "}"


def key_set_text(value):
    return Keys.get().set_text(int(value["repr_"]))


def key_text(value):
    return Keys.get().name(value)
