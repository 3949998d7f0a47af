"""Command line of the soak forms."""

import sys

from bench.server_process import exit_on_sigterm
from bench.soak import main

exit_on_sigterm()
sys.exit(main(sys.argv[1:]))
