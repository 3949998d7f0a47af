"""Server in a process of its own, with its processor time and memory."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from bench.results import ROOT


class Server:
    """A server process on a free port of this machine.

    Args:
        command: Arguments for the Python interpreter. The first line printed must hold the address.
        environment: Variables set for the process.

    Raises:
        RuntimeError: The first line printed holds no address.
    """

    def __init__(self, command: list[str], **environment: str) -> None:
        paths = {"PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
        environment = os.environ | paths | environment
        self._process = subprocess.Popen(
            [sys.executable, *command], env=environment, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        first_line = self._process.stdout.readline()
        match = re.search(r"http://([\d.]+):(\d+)", first_line)
        if match is None:
            raise RuntimeError(f"the server printed {first_line!r}")
        self.host, self.port = match[1], int(match[2])
        self.pid = self._process.pid

    @classmethod
    def real(cls, database: str, **environment: str) -> "Server":
        """Start ``nousu serve`` without rate limits and without pauses of computer players.

        Args:
            database: Path of the database file, or ``postgresql://…``.
            environment: Settings other than these.
        """
        settings = {"NOUSU_PACE": "0", "NOUSU_LIMITS": "off", "NOUSU_WORKERS": "1"} | environment
        return cls(["-m", "nousu", "serve", "--port", "0", "--database", database], **settings)

    @property
    def base(self) -> str:
        """The address of the server."""
        return f"http://{self.host}:{self.port}"

    def cpu(self) -> float:
        """Seconds of processor time used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Resident memory in MiB."""
        match = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())
        return int(match[1]) / 1024 if match else 0.0

    @property
    def running(self) -> bool:
        """Whether the server still runs."""
        return self._process.poll() is None

    def send_signal(self, number: signal.Signals) -> None:
        """Send the server a signal."""
        self._process.send_signal(number)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """End the server by a signal and return the seconds until it has ended."""
        began = time.monotonic()
        if self._process.poll() is None:
            self._process.send_signal(number)
        self._process.wait(120)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return time.monotonic() - began


def exit_on_sigterm() -> None:
    """Let SIGTERM end this program as Ctrl-C does, so that it stops the servers it has started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def raise_file_limit(count: int) -> None:
    """Let this process and its children open so many files, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = count if hard == resource.RLIM_INFINITY else min(count, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, allowed), hard))
