"""gb-tape, gb-saved: the backward graph from a tensor: autograd/node.h, edge.h, saved_variable.h, autograd_meta.h.

The words are those of autograd/tape.cc. Two things differ, because no function of the program is called: the name of a
node is the name of its class, and what it saves is read off its members (so hooks are not shown, nor who wrote).
"""

import collections
import heapq

import gdb

from glassbox_command import Command
from glassbox_memory import dereferenced, enum_names, most_derived, pointer_in, short_name, type_name, vector_elements
from glassbox_tensor import brief_text, is_undefined, tensor_impl, tensor_text, version

NODE = "gb::autograd::Node"


class Node:
    """A node of the graph, by a pointer to it."""

    def __init__(self, pointer):
        self.value = most_derived(pointer).dereference()
        self.address = int(pointer)
        self.name = short_name(self.value.type.name)
        self.sequence_nr = int(self.value["sequence_nr_"])
        self.is_leaf = self.name == "AccumulateGrad"

    def edges(self):
        """(Node or None, number of its input), one per input of the forward call."""
        for edge in vector_elements(self.value["next_edges_"]):
            function = pointer_in(edge["function"])
            yield (Node(function) if int(function) else None), int(edge["input_nr"])

    def fields(self):
        """(name, value) of what the node's own classes hold, without what Node has."""
        yield from fields_below(self.value, self.value.type)

    def label(self):
        return self.name if self.is_leaf else f"{self.name} #{self.sequence_nr}"


def fields_below(value, type_):
    if type_.name == NODE:
        return
    for field in type_.fields():
        if field.is_base_class:
            yield from fields_below(value.cast(field.type), field.type)
        elif not field.artificial and hasattr(field, "bitpos"):
            yield field.name.rstrip("_"), value[field]


def grad_fn(tensor):
    """The node that a gradient of this tensor goes to first, or None: its grad_fn, for a leaf its accumulator."""
    meta = pointer_in(tensor_impl(tensor)["autograd_meta_"])
    if int(meta) == 0:
        return None
    meta = most_derived(meta).dereference()
    node = pointer_in(meta["grad_fn_"])
    if int(node) == 0:
        accumulator = meta["grad_accumulator_"]
        count = accumulator["_M_refcount"]["_M_pi"]
        if int(count) == 0 or int(count["_M_use_count"]) == 0:
            return None
        node = accumulator["_M_ptr"]
    return Node(node)


def stale_text(tensor):
    """Of a view that was written since its grad_fn was made, by whatever way: a line that says so."""
    meta = pointer_in(tensor_impl(tensor)["autograd_meta_"])
    meta = most_derived(meta).dereference() if int(meta) else None
    if meta is None or short_name(meta.type.name) != "DifferentiableViewMeta":
        return ""
    then, now = int(meta["attr_version_"]), version(tensor_impl(tensor))
    if now is None or then == now:
        return ""
    return f"a view, written in place since version {then}, now {now}: the library makes it a new grad_fn when it is asked\n"


def in_order(root):
    """(node, dependencies) of all that is reachable, each after all that point to it; where there is a choice the
    larger sequence number first: the order of a backward pass."""
    found, edges, todo = {root.address: root}, {root.address: 1}, [root]
    while todo:
        for next_, _ in todo.pop().edges():
            if next_ is None:
                continue
            if next_.address not in found:
                found[next_.address], edges[next_.address] = next_, 0
                todo.append(next_)
            edges[next_.address] += 1
    waiting, ready, order = dict(edges), [(-root.sequence_nr, 0, root.address)], []
    while ready:
        node = found[heapq.heappop(ready)[2]]
        order.append((node, edges[node.address]))
        for next_, _ in node.edges():
            if next_ is None:
                continue
            waiting[next_.address] -= 1
            if waiting[next_.address] == 0:
                heapq.heappush(ready, (-next_.sequence_nr, len(order), next_.address))
    return order


def saved_text(name, saved, whole):
    """One SavedVariable in a line; `whole` with the tensor's values."""
    state = enum_names("gb::autograd::SavedVariable::State")[int(saved["state_"])]
    if state == "kReleased":
        return f"{name}: released by backward"
    tensor = saved["data_"]
    if is_undefined(tensor):
        return f"{name}: nothing"
    then, now = int(saved["saved_version_"]), version(tensor_impl(tensor))
    which = "output, " if bool(saved["is_output_"]) else ""
    text = f"{name}: {which}{brief_text(tensor)}, version {then}"
    if now is not None and now != then:
        text += f", now {now}: written in place since, backward will refuse it"
    return text + (f"\n    {tensor_text(tensor)}" if whole else "")


def saved_lines(node, whole=False):
    for name, value in node.fields():
        kind = type_name(value)
        if kind == "gb::autograd::SavedVariable":
            yield saved_text(name, value, whole)
        elif kind in ("std::mutex", "gb::ByteLock"):
            continue
        elif kind == "gb::autograd::Geometry":
            sizes, strides = ([int(n) for n in vector_elements(value[part])] for part in ("sizes", "strides"))
            yield f"{name} = sizes {sizes}, strides {strides}, offset {int(value['offset'])}"
        elif kind == "std::shared_ptr<gb::autograd::Node>":  # of CopySlices: the node of the write
            inner = pointer_in(value)
            yield f"{name} = {Node(inner).name if int(inner) else 'released by backward'}"
            if int(inner):
                yield from saved_lines(Node(inner), whole)
        elif kind == "gb::Scalar":
            number = value["value_"]["d" if enum_names("gb::ScalarType")[int(value["type_"])] == "Double" else "i"]
            yield f"{name} = {number}"
        elif kind.startswith("std::vector<gb::autograd::SavedVariable"):
            for i, element in enumerate(vector_elements(value)):
                yield saved_text(f"{name}[{i}]", element, whole)
        else:
            text = value.format_string(max_elements=8, symbols=False)
            yield f"{name} = {text.rsplit('::', 1)[-1]}" if "\n" not in text else f"{name}: a {kind}"


def node_text(node, dependencies, shared_names):
    """`shared_names`: those that several nodes of the tape have; an edge to such a one says the number too."""
    if node.is_leaf:
        return f"{node.label()} (dependencies {dependencies})\n  leaf {brief_text(node.value['variable'])}\n"
    text = f"{node.label()} (dependencies {dependencies})\n"
    for line in saved_lines(node):
        text += f"  saved {line}\n"
    for next_, input_nr in node.edges():
        if next_ is None:
            text += "  -> nothing: no gradient wanted\n"
        else:
            text += f"  -> {next_.label() if next_.name in shared_names else next_.name} input {input_nr}\n"
    return text


def node_of(words):
    """What the user calls a node: "#3" of the last gb-tape, a tensor, a pointer to a node (shared or not) or a node."""
    if words.startswith("#") and words[1:].isdigit():
        node = GbTape.shown.get(int(words[1:]))
        if node is None:
            raise gdb.GdbError(f"gb-saved: the last gb-tape showed no node {words}")
        return node
    value = dereferenced(gdb.parse_and_eval(words))
    kind = type_name(value)
    if kind == "gb::Tensor":
        node = grad_fn(value)
        if node is None:
            raise gdb.GdbError(f"{words} has no grad_fn: no tape")
        return node
    if kind.startswith("std::shared_ptr<gb::autograd::"):
        return Node(pointer_in(value))
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        return Node(value)
    if "gb::autograd::" in kind:
        return Node(value.address)
    raise gdb.GdbError(f"{words} is neither a tensor nor a node but {value.type}")


class GbTape(Command):
    """gb-tape T: the backward graph from the tensor T (or from a node): each node after all that point to it.

With its sequence number, how many gradients it waits for, what it saved (the version then, and now where that differs),
and its edges."""

    shown = {}  # sequence number -> Node, of the last tape

    word, kind = "gb-tape", gdb.COMMAND_DATA

    def run(self, argument):
        if not argument:
            raise gdb.GdbError("gb-tape: of which tensor? gb-tape T")
        order = in_order(node_of(argument))
        value = dereferenced(gdb.parse_and_eval(argument)) if not argument.startswith("#") else None
        if value is not None and type_name(value) == "gb::Tensor":
            gdb.write(stale_text(value))
        GbTape.shown = {node.sequence_nr: node for node, _ in order if not node.is_leaf}
        names = collections.Counter(node.name for node, _ in order)
        for node, dependencies in order:
            gdb.write(node_text(node, dependencies, {name for name, count in names.items() if count > 1}))


class GbSaved(Command):
    """gb-saved NODE: what a node saved for backward, with values.

NODE: #3 of the last gb-tape, a tensor (its grad_fn), or an expression that is a node or a pointer to one."""

    word, kind = "gb-saved", gdb.COMMAND_DATA

    def run(self, argument):
        if not argument:
            raise gdb.GdbError("gb-saved: of which node? gb-saved NODE")
        node = node_of(argument)
        gdb.write(f"{node.label()}\n")
        for line in saved_lines(node, whole=True):
            gdb.write(f"  saved {line}\n")


GbTape()
GbSaved()
