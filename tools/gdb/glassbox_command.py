"""The base of the gb- commands: a word, a kind, and `run(argument)`."""

import gdb


class Command(gdb.Command):
    """What cannot be read or evaluated becomes a message in the terms of the user."""

    word, kind = "", gdb.COMMAND_DATA

    def __init__(self):
        super().__init__(self.word, self.kind, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        try:
            self.run(argument.strip())
        except gdb.MemoryError as e:
            raise gdb.GdbError(f"{self.word}: {e}: is an object not constructed yet, or freed?")
        except gdb.error as e:
            raise gdb.GdbError(f"{self.word}: {e}")

    def takes_no(self, argument):
        if argument:
            raise gdb.GdbError(f"{self.word} takes no argument")
