"""Programs that take orders on standard input and answer with lines of JSON."""

import json
import os
import select
import subprocess
import time


class DriverError(Exception):
    """A driver that is not there, ended, or took too long."""


class Driver:
    """One such program."""

    def __init__(self, command, environment=None, patience_secs=120.0):
        if not os.path.exists(command[0]):
            raise DriverError("not installed")
        self.patience_secs = patience_secs
        self.pending = b""
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        os.set_blocking(self.process.stderr.fileno(), False)
        try:
            self.name = self.read(patience_secs)["engine"]
        except DriverError:
            self.close()
            raise

    def ask(self, order, patience_secs=None):
        """Sends an order and waits for the answer."""
        try:
            self.process.stdin.write(order.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise DriverError(self.last_words()) from error
        return self.read(patience_secs or self.patience_secs)

    def read(self, patience_secs):
        """The next line that is JSON; libraries like to say other things in between.

        Patience is CPU time, so that a busy machine makes nobody late, and twenty times as much on
        the wall, so that a driver that hangs is noticed.
        """
        start, end = self.cpu_secs(), time.monotonic() + 20 * patience_secs
        output = self.process.stdout.fileno()
        while True:
            line, found, rest = self.pending.partition(b"\n")
            if found:
                self.pending = rest
                if line.startswith(b"{"):
                    return json.loads(line)
                continue
            if not select.select([output], [], [], 1.0)[0]:
                if self.cpu_secs() - start > patience_secs or time.monotonic() > end:
                    raise DriverError(f"no answer in {patience_secs:.0f} s")
                continue
            more = os.read(output, 1 << 16)
            if not more:
                raise DriverError(self.last_words())
            self.pending += more

    def cpu_secs(self):
        """CPU time that the program has used."""
        try:
            with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def last_words(self):
        said = (self.process.stderr.read() or b"").decode(errors="replace").strip()
        if "No module named" in said:
            return "not installed"
        return said.splitlines()[-1] if said else "it ended without a word"

    def close(self):
        """Ends the program."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
