"""`python -m helix` is `helix`."""

import sys

from helix.doors.start import run

if __name__ == "__main__":
    sys.exit(run())
