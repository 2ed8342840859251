"""Tensors as text: core/tensor_impl.h, core/sizes_and_strides.h, core/storage.h, core/version_counter.h."""

import math
import struct

import gdb

from glassbox_keys import key_set_text
from glassbox_memory import enum_names, pointer_in

VALUES_SHOWN = 6

# ScalarType enumerator -> (bytes, struct format)
ELEMENTS = {"Float": (4, "f"), "Double": (8, "d"), "Half": (2, "e"), "BFloat16": (2, "H"), "Long": (8, "q"),
            "Int": (4, "i"), "Bool": (1, "?")}


def element(memory, dtype):
    value = struct.unpack("<" + ELEMENTS[dtype][1], memory)[0]
    if dtype == "BFloat16":
        value = struct.unpack("<f", struct.pack("<I", value << 16))[0]
    return f"{value:.6g}" if isinstance(value, float) else str(value).lower()


def tensor_impl(tensor):
    return pointer_in(tensor["impl_"]).dereference()


def dtype_name(type_meta):
    return enum_names("gb::ScalarType").get(int(type_meta["type_"]), "?")


def is_undefined(tensor):
    return dtype_name(tensor_impl(tensor)["dtype_"]) == "Undefined"


def geometry(held):
    """(sizes, strides) of a SizesAndStrides as lists."""
    count = int(held["size_"])
    inside = held["inline_"]
    low, high = inside.type.range()
    half = (high - low + 1) // 2
    if count <= half:
        return [int(inside[i]) for i in range(count)], [int(inside[half + i]) for i in range(count)]
    outside = pointer_in(held["heap_"])
    return [int(outside[i]) for i in range(count)], [int(outside[count + i]) for i in range(count)]


def version_word(impl):
    """The word of a VariableVersion, as a pointer: it is 0 (none), writer << 33 | version << 1 | 1, or the address of
    a shared counter."""
    return impl["version_counter_"]["word_"]["_M_i"].address


def shared_counter(word):
    """A pointer to writer << 32 | version in the counter that a word points to, or None where the word holds them itself."""
    if word == 0 or word & 1:
        return None
    counter = gdb.Value(word).cast(gdb.lookup_type("gb::VariableVersion::Counter").pointer())
    return counter["value"]["_M_i"].address


def version_in(value):
    """The version in writer << 32 | version."""
    return value & 0xFFFFFFFF


def version(impl):
    """How often the data was written in place; None for an inference tensor, which does not count."""
    word = int(version_word(impl).dereference())
    counter = shared_counter(word)
    if counter is not None:
        return version_in(int(counter.dereference()))
    return version_in(word >> 1) if word else None


def first_values(impl, dtype, sizes, strides):
    """The first elements in row-major order, or None where there is no memory to read."""
    storage = pointer_in(impl["storage_"]["impl_"])
    if int(storage) == 0 or dtype not in ELEMENTS:
        return None
    data = int(storage["data_"]["data_"])
    device = enum_names("gb::DeviceType").get(int(impl["device_"]["type_"]))
    if data == 0 or device != "CPU":
        return None
    numel = math.prod(sizes)
    nbytes = ELEMENTS[dtype][0]
    words = []
    for flat in range(min(numel, VALUES_SHOWN)):
        place, rest = int(impl["storage_offset_"]), flat
        for size, stride in zip(reversed(sizes), reversed(strides)):
            place += rest % size * stride
            rest //= size
        memory = gdb.selected_inferior().read_memory(data + place * nbytes, nbytes)
        words.append(element(bytes(memory), dtype))
    return "[" + ", ".join(words) + (", ..." if numel > VALUES_SHOWN else "") + "]"


def brief_text(tensor):
    """Dtype and sizes: "Float [2, 3]"."""
    impl = tensor_impl(tensor)
    return f"{dtype_name(impl['dtype_'])} {geometry(impl['sizes_and_strides_'])[0]}"


def tensor_text(tensor):
    impl = tensor_impl(tensor)
    dtype = dtype_name(impl["dtype_"])
    if dtype == "Undefined":
        return "Tensor(undefined)"
    sizes, strides = geometry(impl["sizes_and_strides_"])
    number = version(impl)
    text = f"Tensor {sizes} {dtype}, keys {key_set_text(impl['key_set_'])}"
    text += f", version {'none' if number is None else number}"
    expected = [1] * len(sizes)
    for d in range(len(sizes) - 2, -1, -1):
        expected[d] = expected[d + 1] * max(sizes[d + 1], 1)
    if strides != expected:
        text += f", strides {strides}"
    values = first_values(impl, dtype, sizes, strides)
    return text if values is None else f"{text}, values {values}"
