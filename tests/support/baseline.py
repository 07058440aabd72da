"""`.ci/baseline` with the Python that runs this."""

import os
import subprocess
import sys

from tests.support.data import PROJECT

if __name__ == "__main__":
    script = [str(PROJECT / ".ci" / "baseline"), *sys.argv[1:]]
    sys.exit(subprocess.call(script, env={**os.environ, "PYTHON": sys.executable}))
