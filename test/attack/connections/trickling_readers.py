"""Clients that read a list at 1.7 kB/s, each from an address of its own; their receive buffers are small.

usage: trickling_readers.py HOST PORT TARGET COUNT

Prints "sent" after the requests. Reads until its input ends. Then prints as JSON how many answers there were of each status, and how
many connections were broken off.
"""

import collections
import json
import select
import socket
import sys

host, port, target, count = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
readers = []
for at in range(count):
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    # As over a network: segments of the loopback device are so long that the system buffers megabytes of them.
    reader.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1400)
    reader.connect((host, port))
    address = f"198.51.{at // 250}.{at % 250}"
    lines = [f"GET {target} HTTP/1.1", "Host: x", f"X-Forwarded-For: {address}", "Connection: close", "", ""]
    reader.sendall("\r\n".join(lines).encode())
    reader.setblocking(False)
    readers.append(reader)

statuses: collections.Counter = collections.Counter()
begun = set()
broken = 0
print(json.dumps("sent"), flush=True)
while not select.select([sys.stdin], [], [], 0.1)[0]:
    for at, reader in enumerate(readers):
        try:
            piece = reader.recv(170)
        except BlockingIOError:
            continue
        except OSError:
            piece = b""
        if piece == b"":
            broken += 1
            reader.close()
            readers[at] = socket.socket()
            readers[at].setblocking(False)
            continue
        if at not in begun:
            begun.add(at)
            statuses[piece[9:12].decode()] += 1
print(json.dumps({"statuses": statuses, "broken": broken}), flush=True)
