"""Operators, kernels, hops and the thread's key sets: dispatcher/operator_entry.h, kernel_function.h, dispatcher.h,
trace.h, local_dispatch_key_set.h. The only file that knows the members of these structures."""

import gdb

from glassbox_keys import Keys, key_text
from glassbox_memory import (array_element, at, dereferenced, enum_names, held, list_front, pointer_in, std_string,
                             tree_pairs)


def name_of(operator_name):
    name, overload = std_string(operator_name["name"]), std_string(operator_name["overload_name"])
    return f"{name}.{overload}" if overload else name


# What slots hold that no registration fills, by what they say of themselves -> the reason.
BUILT_IN = {"nothing is registered": "missing", "the operator was removed": "operator removed",
            "two kernels could serve this key": "ambiguous AutogradOther"}
# The pointers of a KernelFunction, of which one is set where a typed call needs no box.
UNBOXED = ("plain_", "keyed_", "functor_call_")


class Kernel:
    """An impl::RegisteredKernel."""

    def __init__(self, value):
        self.value = value
        self.function = value["kernel"]

    def key(self):
        """What it was registered for, a runtime key or an alias, by name."""
        return key_text(self.value["key"])

    def place(self):
        return std_string(self.value["debug"])

    def is_fallthrough(self):
        return "fallthrough_body" in symbol_at(int(self.function["boxed_"]))

    def unboxed(self):
        """The address that a typed call jumps to; 0 for a kernel that is only boxed."""
        return next((a for a in (int(self.function[m]) for m in UNBOXED) if a), 0)

    def state(self):
        """KernelFunction::dumpState."""
        if self.is_fallthrough():
            return "fallthrough"
        return "unboxed" if self.unboxed() else "boxed"

    def entry_point(self):
        return self.unboxed() or int(self.function["boxed_"])

    def reason(self):
        """Why a slot holds it: the words of impl::toString(SlotReason)."""
        if self.place() in BUILT_IN:
            return BUILT_IN[self.place()]
        if bool(self.value["is_backend_fallback"]):
            return "backend fallback"
        if self.key() in ("CompositeExplicitAutograd", "CompositeImplicitAutograd"):
            return f"{self.key()} kernel"
        return "Autograd alias kernel" if self.key() == "Autograd" else "kernel for this key"

    def serves_nobody(self):
        return self.place() in BUILT_IN


def symbol_at(address):
    """The name of the function at an address, from the symbol table."""
    said = gdb.execute(f"info symbol {address}", to_string=True)
    return "" if said.startswith("No symbol") else said.split(" in section ")[0]


class Operator:
    """An impl::OperatorEntry."""

    def __init__(self, value):
        self.value = value
        self.name = name_of(value["name_"])

    def __eq__(self, other):
        return int(self.value.address) == int(other.value.address)

    def kernel(self, slot):
        return Kernel(held(array_element(self.value["slots_"], slot)).dereference())

    def mask_for(self, bits):
        """The mask of the set's highest backend."""
        backend = (bits & Keys.get().backend_bits).bit_length() or 1
        return int(held(array_element(self.value["masks_"], backend - 1)))

    def registered(self):
        """Key, aliases among them, by name -> the kernel that was registered for it last."""
        kernel = gdb.lookup_type("gb::impl::RegisteredKernel").pointer()
        return {key_text(at(key, "gb::DispatchKey")): Kernel(list_front(list_, kernel).dereference())
                for key, list_ in tree_pairs(self.value["kernels_"])}

    def kernels(self):
        """Every kernel that some slot holds, once."""
        found = {}
        for slot in range(len(Keys.get().slots)):
            kernel = self.kernel(slot)
            found.setdefault(int(kernel.value.address), kernel)
        return [k for k in found.values() if not k.serves_nobody()]


def dispatcher():
    """The Dispatcher: what the static reference in Dispatcher::singleton() refers to."""
    function = gdb.lookup_global_symbol("gb::Dispatcher::singleton()")
    if function is None:
        raise gdb.GdbError("this program has no gb::Dispatcher")
    for symbol in gdb.block_for_pc(int(function.value().address)):
        if symbol.addr_class == gdb.SYMBOL_LOC_STATIC and "gb::Dispatcher" in str(symbol.type):
            instance = dereferenced(symbol.value())
            if int(instance.address) != 0:
                return instance
    raise gdb.GdbError("the dispatcher is not made yet: `start` first")


def operators():
    """Every operator that is registered: the cells of the index that are taken by one that is not removed."""
    table = held(dispatcher()["operators_"]["table_"]).dereference()
    cell = pointer_in(table["cells"])
    for i in range(int(table["mask"]) + 1):
        entry = held((cell + i).dereference())
        if int(entry) and not bool(held(entry["removed_"])):
            yield Operator(entry.dereference())


def names_that_match(asked, names):
    """Full names that the word of a user stands for: aten::softmax.int by itself, without its overload, without its
    namespace; the closest kind of match only."""
    for form in (lambda n: n, lambda n: n.split(".")[0], lambda n: n.split("::", 1)[-1],
                 lambda n: n.split("::", 1)[-1].split(".")[0]):
        found = sorted(name for name in names if form(name) == asked)
        if found:
            return found
    return []


def find_operator(asked):
    by_name = {operator.name: operator for operator in operators()}
    found = names_that_match(asked, by_name)
    if len(found) == 1:
        return by_name[found[0]]
    if found:
        raise gdb.GdbError(f"{asked} is one of several: {', '.join(found)}")
    near = sorted(name for name in by_name if asked in name)[:8]
    raise gdb.GdbError(f"no operator is called {asked}" + (f". Did you mean {', '.join(near)}?" if near else ""))


def thread_key_sets():
    """(included, excluded) of the selected thread, as words."""
    try:
        tls = gdb.parse_and_eval("gb::impl::tls_local_dispatch_key_set_")
        return int(tls["included_"]["repr_"]), int(tls["excluded_"]["repr_"])
    except gdb.error as e:
        raise gdb.GdbError(f"the key sets of this thread cannot be read (is the program running?): {e}")


CALL_KINDS = {"kCall": "call", "kRedispatch": "redispatch", "kCallBoxed": "callBoxed",
              "kRedispatchBoxed": "redispatchBoxed"}


class Event:
    """A trace::Event, read at once: the object lives only as long as the hook."""

    def __init__(self, value):
        self.depth = int(value["depth"])
        self.operator = Operator(value["op"].dereference())
        self.kernel = Kernel(value["kernel"].dereference())
        self.keys = int(value["keyset"]["repr_"])
        self.key = int(value["key"])
        self.kind = CALL_KINDS.get(enum_names("gb::trace::CallKind")[int(value["kind"])], "call")

    def where(self):
        """Operator and key: "demo::scale @ CPU"."""
        return f"{self.operator.name} @ {Keys.get().name(self.key)}"

    def line(self):
        """One line, indented by depth: operator, the result's key set, key, reason, where the kernel was registered."""
        keys = Keys.get()
        return (f"{'  ' * self.depth}{self.kind} {self.operator.name} {keys.set_text(self.keys)}"
                f" => {keys.name(self.key)} : {self.kernel.reason()}, {self.kernel.place()}")
