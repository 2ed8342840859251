"""What the parts of bench/cuda.py share: our program, and taking turns with the peers."""
import math
import statistics
import subprocess


class Ours:
    """The program cuda_ours, which answers a line for a line."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def rungs(self, subject):
        return self.ask(f"info {subject}").split()

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("failed"):
            raise RuntimeError(f"cuda_ours: {line}: {answer}")
        return answer

    def time(self, subject, request, launches):
        """The rung that ran and the microseconds of one launch."""
        name, microseconds = self.ask(f"time {subject} {launches} {request}").split()
        return name, float(microseconds)

    def bytes(self, subject, request):
        """What the request's outputs and scratch memory take."""
        return int(self.ask(f"bytes {subject} {request}").split()[1])

    def error(self, subject, request):
        name, error = self.ask(f"error {subject} {request}").split()
        return name, float(error)


def time_torch(torch, call, launches):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(launches):
        call()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e3 / launches  # microseconds


def launches_for(microseconds, batch=4000):
    """So many that a batch takes `batch` microseconds, within reason."""
    return max(3, min(200, math.ceil(batch / microseconds)))


def in_turns(torch, ours, peers, launches, rounds, of_rounds=min):
    """The time of each in microseconds: ours() of a batch, then each peer's batch, and again, `rounds` times.

    of_rounds makes one figure of a list of them: the least, which is what undisturbed memory gives, or the median, for
    what is limited by power: the first batches then run at clocks that do not last.
    """
    times = {peer: [] for peer in ["ours", *peers]}
    for _ in range(rounds):
        times["ours"].append(ours())
        for peer, call in peers.items():
            times[peer].append(time_torch(torch, call, launches))
    return {peer: of_rounds(figures) for peer, figures in times.items()}


def sustained(figures):
    """The median without the first round, which warms the card up."""
    return statistics.median(figures[1:] or figures)
