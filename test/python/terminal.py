"""Runs a command at a terminal of its own, and types a password where it is asked for one.

usage: PASSWORD=... terminal.py COMMAND [ARGUMENT...]; prints what the terminal shows, and ends as the command does.
"""

import os
import pty
import re
import sys

secret = os.environ.pop("PASSWORD")
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        # Linux says so at the end.
        break
    if not piece:
        break
    sys.stdout.buffer.write(piece)
    sys.stdout.flush()
    shown += piece
    if re.search(rb"password[^\n]*: $", shown, re.I):
        shown = b""
        os.write(terminal, secret.encode() + b"\n")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
