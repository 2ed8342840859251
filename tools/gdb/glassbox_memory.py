"""Reads C++ values out of a program's memory: enums, pointers, containers of the standard library, dynamic types.

Nothing here, and in no other file of this folder, calls into the program, so it works in a core file, in a broken
process and without its symbols for code. Members are read by their names; where a standard container has no readable
ones (its nodes are internal types) the layout of libstdc++ is stated at the function.
The readers of glassbox's own structures: glassbox_keys.py, glassbox_tensor.py, glassbox_dispatch.py, glassbox_tape.py.
"""

import functools

import gdb


@functools.lru_cache(maxsize=None)
def enum_names(type_name):
    """value -> enumerator, the first one where several share a value (EndOf... and StartOf... come later)."""
    names = {}
    for field in gdb.lookup_type(type_name).strip_typedefs().fields():
        names.setdefault(int(field.enumval), field.name.rsplit("::", 1)[-1])
    return names


@functools.lru_cache(maxsize=None)
def enum_values(type_name):
    """enumerator -> value, with all of those that share one."""
    fields = gdb.lookup_type(type_name).strip_typedefs().fields()
    return {field.name.rsplit("::", 1)[-1]: int(field.enumval) for field in fields}


def forget_types():
    """Another program was loaded: its enums may differ."""
    enum_names.cache_clear()
    enum_values.cache_clear()


def dereferenced(value):
    """The object itself where a value is a reference to one."""
    is_reference = value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
    return value.referenced_value() if is_reference else value


def pointed_at(value):
    """The object itself where a value is a pointer to one, or a reference."""
    value = dereferenced(value)
    return value.dereference() if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else value


def type_name(value):
    """The name of a value's type without reference, const and typedef."""
    return dereferenced(value).type.strip_typedefs().unqualified().name or ""


def at(address, type_name_):
    return gdb.Value(address).cast(gdb.lookup_type(type_name_).pointer()).dereference()


def first_argument(value):
    return value.type.strip_typedefs().template_argument(0)


def held(value):
    """What lies at the address of a value that is nothing but a T: std::atomic<T>."""
    return value.address.cast(first_argument(value).pointer()).dereference()


def pointer_in(value):
    """The first pointer that lies in a smart pointer: unique_ptr, shared_ptr, intrusive_ptr. (Not by a cast of its
    address: an optimised one may have none.)"""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        return value
    for field in value.type.strip_typedefs().fields():
        if hasattr(field, "bitpos") and field.type.strip_typedefs().code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_STRUCT):
            found = pointer_in(value[field])
            if found is not None:
                return found
    return None


def array_element(value, i):
    """Element i of a std::array<T, n>."""
    return (value.address.cast(first_argument(value).pointer()) + i).dereference()


def vector_elements(value):
    """Of a std::vector<T>."""
    held_ = value["_M_impl"]
    first, last = held_["_M_start"], held_["_M_finish"]
    return [(first + i).dereference() for i in range(int(last - first))]


def std_string(value):
    length = int(value["_M_string_length"])
    return value["_M_dataplus"]["_M_p"].string("utf-8", "replace", length) if length else ""


def tree_pairs(value):
    """Addresses of (key, value) in a std::map whose values are aligned as words, in order. A node has the base of a
    tree node, then the pair."""
    header = value["_M_t"]["_M_impl"]["_M_header"]
    key = value.type.strip_typedefs().template_argument(0).sizeof

    def walk(node):
        if int(node) == 0:
            return
        yield from walk(node["_M_left"])
        first = int(node) + node.type.strip_typedefs().target().sizeof
        yield first, first + (key + 7) // 8 * 8
        yield from walk(node["_M_right"])

    return walk(header["_M_parent"])


def list_front(address, type_):
    """The first element, of that type, of the std::list at an address: a list begins with the pointer to its first
    node, a node has two pointers in front of the element."""
    word = gdb.lookup_type("unsigned long")
    first = gdb.Value(address).cast(word.pointer()).dereference()
    return gdb.Value(int(first) + 2 * word.sizeof).cast(type_.pointer()).dereference()


def most_derived(pointer):
    """A pointer to an object with virtual functions, as a pointer to its own class: by the symbol of its vtable."""
    plain = pointer.cast(pointer.type.strip_typedefs().target().strip_typedefs().unqualified().pointer())
    return plain.cast(plain.dynamic_type)


def short_name(name):
    """gb::(anonymous namespace)::MulBackward0 -> MulBackward0; namespaces inside template arguments stay."""
    head = name.split("<", 1)[0]
    return name[head.rfind("::") + 2 :] if "::" in head else name
