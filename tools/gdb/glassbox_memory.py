"""Reads glassbox's objects out of a program's memory: key sets, tensors, dispatch events, as Python text.

Nothing here calls into the program, so it works in a core file, in a broken process and without its symbols for code.
Names of keys come from the debug information, so they follow the enum. Members are read by their names in the headers:
core/tensor_impl.h, core/dispatch_key_set.h, dispatcher/trace.h, dispatcher/operator_entry.h.
"""

import struct

import gdb

VALUES_SHOWN = 6


def enum_names(type_name):
    """value -> enumerator, the first one where several share a value (EndOf... and StartOf... come later)."""
    names = {}
    for field in gdb.lookup_type(type_name).strip_typedefs().fields():
        names.setdefault(int(field.enumval), field.name.rsplit("::", 1)[-1])
    return names


class Keys:
    """The layout of a DispatchKeySet: backend bits low, functionality bits above them."""

    _cached = None

    @classmethod
    def get(cls):
        if cls._cached is None:
            cls._cached = cls()
        return cls._cached

    def __init__(self):
        self.names = enum_names("gb::DispatchKey")
        fields = gdb.lookup_type("gb::DispatchKey").fields()
        values = {f.name.rsplit("::", 1)[-1]: int(f.enumval) for f in fields}
        self.backends = max(enum_names("gb::BackendComponent"))
        self.functionalities = values["EndOfFunctionalityKeys"]
        self.starts = {  # functionality -> the number before its first runtime key
            k: values[f"StartOf{self.names[k]}Backends"]
            for k in range(1, self.functionalities)
            if f"StartOf{self.names[k]}Backends" in values
        }

    def key_name(self, value):
        return self.names.get(int(value), f"DispatchKey({int(value)})")

    def set_text(self, bits):
        backends = [b for b in range(1, self.backends + 1) if bits >> (b - 1) & 1]
        words = []
        for k in range(1, self.functionalities):
            if not bits >> (self.backends + k - 1) & 1:
                continue
            if k in self.starts and backends:
                words += [self.key_name(self.starts[k] + b) for b in backends]
            elif k not in self.starts or not backends:
                words.append(self.key_name(k))
        return "{" + ", ".join(words) + "}"


def key_set_text(value):
    return Keys.get().set_text(int(value["repr_"]))


def key_text(value):
    return Keys.get().key_name(value)


def std_string(value):
    """A std::string by its two fields (libstdc++)."""
    length = int(value["_M_string_length"])
    return value["_M_dataplus"]["_M_p"].string("utf-8", "replace", length) if length else ""


def pointer_inside(value, target):
    """The pointer that a smart pointer of one word holds."""
    return value.address.cast(gdb.lookup_type(target).pointer().pointer()).dereference()


def operator_name(entry):
    name, overload = std_string(entry["name_"]["name"]), std_string(entry["name_"]["overload_name"])
    return f"{name}.{overload}" if overload else name


# ScalarType enumerator -> (bytes, struct format)
ELEMENTS = {"Float": (4, "f"), "Double": (8, "d"), "Half": (2, "e"), "BFloat16": (2, "H"), "Long": (8, "q"), "Int": (4, "i"),
            "Bool": (1, "?")}


def element(memory, dtype):
    value = struct.unpack("<" + ELEMENTS[dtype][1], memory)[0]
    if dtype == "BFloat16":
        value = struct.unpack("<f", struct.pack("<I", value << 16))[0]
    return f"{value:.6g}" if isinstance(value, float) else str(value).lower()


def tensor_impl(tensor):
    return tensor["impl_"]["target_"].dereference()


def geometry(impl):
    """(sizes, strides) as lists."""
    held = impl["sizes_and_strides_"]
    count = int(held["size_"])
    inside = held["inline_"]
    low, high = inside.type.range()
    half = (high - low + 1) // 2
    if count <= half:
        return [int(inside[i]) for i in range(count)], [int(inside[half + i]) for i in range(count)]
    outside = pointer_inside(held["heap_"], "long")
    return [int(outside[i]) for i in range(count)], [int(outside[count + i]) for i in range(count)]


def first_values(impl, dtype, sizes, strides):
    """The first elements in row-major order, or None where there is no memory to read."""
    storage = impl["storage_"]["impl_"]["target_"]
    if int(storage) == 0 or dtype not in ELEMENTS:
        return None
    data = int(storage["data_"]["data_"])
    device = enum_names("gb::DeviceType").get(int(impl["device_"]["type_"]))
    if data == 0 or device != "CPU":
        return None
    numel = 1
    for size in sizes:
        numel *= size
    nbytes = ELEMENTS[dtype][0]
    words = []
    for flat in range(min(numel, VALUES_SHOWN)):
        at, rest = int(impl["storage_offset_"]), flat
        for size, stride in zip(reversed(sizes), reversed(strides)):
            at += rest % size * stride
            rest //= size
        memory = gdb.selected_inferior().read_memory(data + at * nbytes, nbytes)
        words.append(element(bytes(memory), dtype))
    return "[" + ", ".join(words) + (", ..." if numel > VALUES_SHOWN else "") + "]"


def version_text(word):
    """Of a VariableVersion (core/version_counter.h): 0, an odd number, or the address of a shared counter."""
    if word == 0:
        return "none"
    if word & 1:
        return str(word >> 1)
    counter = gdb.Value(word).cast(gdb.lookup_type("gb::VariableVersion::Counter").pointer())
    return str(int(counter["value"]["_M_i"]))


def tensor_text(tensor):
    impl = tensor_impl(tensor)
    dtype = enum_names("gb::ScalarType").get(int(impl["dtype_"]["type_"]), "?")
    if dtype == "Undefined":
        return "Tensor(undefined)"
    sizes, strides = geometry(impl)
    version = version_text(int(impl["version_counter_"]["word_"]["_M_i"]))
    text = f"Tensor {sizes} {dtype}, keys {key_set_text(impl['key_set_'])}, version {version}"
    expected = [1] * len(sizes)
    for d in range(len(sizes) - 2, -1, -1):
        expected[d] = expected[d + 1] * max(sizes[d + 1], 1)
    if strides != expected:
        text += f", strides {strides}"
    values = first_values(impl, dtype, sizes, strides)
    return text if values is None else f"{text}, values {values}"


def reason_text(kernel, key):
    """Why the slot holds this kernel: the words of impl::toString(SlotReason)."""
    debug = std_string(kernel["debug"])
    if debug == "nothing is registered":
        return "missing"
    if debug == "the operator was removed":
        return "operator removed"
    if bool(kernel["is_backend_fallback"]):
        return "backend fallback"
    registered_for = key_text(kernel["key"])
    if registered_for in ("CompositeExplicitAutograd", "CompositeImplicitAutograd"):
        return f"{registered_for} kernel"
    if registered_for == "Autograd":
        return "Autograd alias kernel"
    return "kernel for this key"


CALL_KINDS = {"kCall": "call", "kRedispatch": "redispatch", "kCallBoxed": "callBoxed", "kRedispatchBoxed": "redispatchBoxed"}


def hop_line(event):
    """One hop, indented by depth: operator, the result's key set, key, reason, and where the kernel was registered."""
    kernel = event["kernel"].dereference()
    kind = CALL_KINDS.get(enum_names("gb::trace::CallKind")[int(event["kind"])], "call")
    key = event["key"]
    return (f"{'  ' * int(event['depth'])}{kind} {operator_name(event['op'].dereference())} {key_set_text(event['keyset'])}"
            f" => {key_text(key)} : {reason_text(kernel, key)}, {std_string(kernel['debug'])}")
