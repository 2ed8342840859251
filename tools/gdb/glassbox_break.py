"""gb-break: stop at the hops of an operator, or of one of its keys."""

import gdb

from glassbox_command import Command
from glassbox_dispatch import names_that_match, operators
from glassbox_frames import select_caller
from glassbox_hook import Hook, TraceFlag, start_watching
from glassbox_keys import Keys


class Condition:
    """One gb-break: a watcher of the hook."""

    def __init__(self, number, operator, key):
        self.number, self.operator, self.key, self.hits = number, operator, key, 0

    def __call__(self, hop):
        matches = bool(names_that_match(self.operator, [hop.operator.name]))
        matches = matches and (self.key is None or Keys.get().covers(self.key, hop.key))
        self.hits += matches
        if matches:
            Conditions.met = self
        return matches

    def __str__(self):
        return f"gb-break {self.number}: {self.operator}{' @ ' + self.key if self.key else ''}"


class Conditions:
    all = {}
    met = None  # the one that stopped the program last
    next_number = 1


class ArmAtMain(gdb.Breakpoint):
    """The flag can be written in a live process only: for a gb-break before `run`, when main is reached."""

    instance = None

    def __init__(self):
        super().__init__("main", internal=True)
        self.silent = True

    def stop(self):
        if Conditions.all:
            TraceFlag.set(True)
        return False


def tell_of_stop(event):
    """After a stop of the hook that a gb-break asked for: the hop, and the frame that made the call."""
    condition, hook = Conditions.met, Hook.instance
    Conditions.met = None
    if condition is None or hook is None or hook.stopped_at is None or hook.commanded:
        return
    gdb.write(f"{condition}\n{hook.stopped_at.line()}\n")
    select_caller()


class GbBreak(Command):
    """gb-break OP [KEY]: stop at every hop of OP; with KEY at those that it serves.

  gb-break softmax Autograd     OP: aten::softmax.int or a part of it; KEY: a runtime key, a functionality or an alias
  gb-break                      lists them
  gb-break delete N             takes number N away; without N all"""

    word, kind = "gb-break", gdb.COMMAND_BREAKPOINTS

    def run(self, argument):
        words = gdb.string_to_argv(argument)
        if not words:
            self.list()
        elif words[0] == "delete":
            self.delete(words[1:])
        elif len(words) > 2:
            raise gdb.GdbError("gb-break: OP [KEY]")
        else:
            self.add(*words)

    @staticmethod
    def list():
        for condition in Conditions.all.values():
            gdb.write(f"{condition}, {condition.hits} hit{'' if condition.hits == 1 else 's'}\n")
        if not Conditions.all:
            gdb.write("no gb-break is set\n")

    @staticmethod
    def delete(numbers):
        for word in numbers or [str(n) for n in Conditions.all]:
            if not word.isdigit() or int(word) not in Conditions.all:
                raise gdb.GdbError(f"gb-break: there is no number {word}")
            Hook.the().watchers.remove(Conditions.all.pop(int(word)))

    @staticmethod
    def add(operator, key=None):
        lives = gdb.selected_inferior().pid != 0
        if key is not None:
            Keys.get().covers(key, 0)  # is there such a key?
        if lives:
            hook = start_watching()
            known = [o.name for o in operators()]
            if not names_that_match(operator, known):
                gdb.write(f"gb-break: no operator is called {operator} yet\n")
        else:
            hook = Hook.the()
            if ArmAtMain.instance is None or not ArmAtMain.instance.is_valid():
                ArmAtMain.instance = ArmAtMain()
        condition = Condition(Conditions.next_number, operator, key)
        Conditions.next_number += 1
        Conditions.all[condition.number] = condition
        hook.watchers.append(condition)
        gdb.write(f"{condition}\n")


gdb.events.stop.connect(tell_of_stop)
GbBreak()
