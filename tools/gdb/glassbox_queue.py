"""gb-queue: what this thread's engine runs next: autograd/ready_queue.h, graph_task.h, pass.h, engine.cc.

The queue, the stepped passes and the running node are variables of the thread, found by their names.
"""

import gdb

from glassbox_command import Command
from glassbox_memory import pointer_in, vector_elements
from glassbox_tape import Node

ENGINE = "gb::autograd::(anonymous namespace)::"


def of_thread(name):
    """A variable of the selected thread."""
    return gdb.parse_and_eval(f"'{name}'")


class Entry:
    """One node of a queue."""

    def __init__(self, ready):
        self.task = ready["task"]
        self.depth = int(self.task["depth"])
        self.sequence_nr = int(ready["sequence_nr"])
        self.state = vector_elements(self.task["states"])[int(ready["state"])]

    def text(self):
        node = Node(self.state["node"])
        when = f"#{self.sequence_nr}" if not node.is_leaf else "leaf, at once"
        return f"depth {self.depth}  {when:<13} {node.name}"


def in_order(queue):
    """The order of operator< in ready_queue.h: deeper passes first, then what was made last. (Leaves: as they lie.)"""
    entries = [Entry(ready) for ready in vector_elements(queue["heap_"])]
    return sorted(entries, key=lambda entry: (entry.depth, entry.sequence_nr), reverse=True)


def waiting(task):
    """Lines of a pass: the nodes that are not ready yet, and for how many gradients each still waits."""
    for state in vector_elements(task["states"]):
        missing = int(state["dependencies"])
        if missing > 0 and (bool(state["wanted"]) or bool(state["captured"])):
            yield f"depth {int(task['depth'])}  waits for {missing}   {Node(state['node']).label()}"


def write_queue(title, queue, task):
    """`task`: of the pass that runs, or None."""
    entries = in_order(queue)
    tasks = {int(entry.task): entry.task for entry in entries}
    if task is not None and int(task):
        tasks[int(task)] = task
    lines = [entry.text() for entry in entries] or ["nothing is ready"]
    for _, one in sorted(tasks.items(), key=lambda item: -int(item[1]["depth"])):
        lines += waiting(one)
    gdb.write(f"{title}\n" + "".join(f"  {line}\n" for line in lines))


class GbQueue(Command):
    """gb-queue: the ready queue of the engine on this thread, the next node to run first.

With the depth of each node's backward pass and its sequence number, and after them the nodes that still wait for gradients.
A pass that is stepped (Engine::step) has a queue of its own. Nodes in the queues of a device's worker are not shown."""

    word, kind = "gb-queue", gdb.COMMAND_DATA

    def run(self, argument):
        self.takes_no(argument)
        if gdb.selected_thread() is None:
            raise gdb.GdbError("gb-queue: no thread is selected: start the program first")
        current = of_thread("gb::autograd::current_pass")
        stepped = [pointer_in(owner).dereference() for owner in vector_elements(of_thread(ENGINE + "stepped_passes"))]
        queue = of_thread(ENGINE + "ready_queue")
        task = current["task"]
        if int(current["node"]):
            gdb.write(f"runs: {Node(current['node']).label()}\n")
        of_steps = {int(one["pass"]["task_"].address): i for i, one in enumerate(stepped)}
        running = int(task) and int(task) not in of_steps
        if running or vector_elements(queue["heap_"]):
            write_queue("ready, the first one is next:", queue, task if running else None)
        elif not stepped:
            gdb.write("no backward pass on this thread\n")
        for i, one in reversed(list(enumerate(stepped))):
            which = f", {i + 1} of {len(stepped)}" if len(stepped) > 1 else ""
            write_queue(f"ready in the stepped pass{which}, the first one is next:", one["queue"], one["pass"]["task_"].address)


GbQueue()
