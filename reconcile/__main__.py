"""`python -m reconcile`."""

from reconcile.cli import run

if __name__ == "__main__":
    run()
