"""Object storage on this computer: moto's server, which answers as Amazon's S3 does."""

import socket
import subprocess
import sys
from contextlib import contextmanager
from importlib.util import find_spec

import pytest

from tests.support.processes import wait_until

CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "somebody",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_DEFAULT_REGION": "us-east-1",
}


def answers(port):
    """Whether a server listens here."""
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def object_storage():
    """The address of a server, which forgets everything when the block is left; the test is skipped
    without moto."""
    if find_spec("moto") is None or find_spec("flask") is None:
        pytest.skip("moto's server is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_until(lambda: answers(port) or server.poll() is not None)
            assert server.poll() is None
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()
