"""Clients that ask for something, see that it begins, and read no more; their receive buffers are small.

usage: slow_readers.py HOST PORT TARGET COUNT

Prints how many there are of each status. A line "read N" has N of them read to the end, and prints the SHA-256 of each
body. All leave at the end of the input.
"""

import collections
import concurrent.futures
import hashlib
import json
import socket
import sys

host, port, target, count = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
request = f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()


def begin(_):
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    # As over a network: segments of the loopback device are so long that the system buffers megabytes of them.
    reader.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1400)
    reader.connect((host, port))
    reader.sendall(request)
    return reader, reader.recv(15, socket.MSG_WAITALL)


def body(reader, first):
    """The body of an answer in chunks (RFC 9112, 7.1)."""
    answer = first
    while piece := reader.recv(1 << 16):
        answer += piece
    rest = answer[answer.index(b"\r\n\r\n") + 4 :]
    whole = b""
    while length := int(rest[: rest.index(b"\r\n")], 16):
        at = rest.index(b"\r\n") + 2
        whole += rest[at : at + length]
        rest = rest[at + length + 2 :]
    return whole


with concurrent.futures.ThreadPoolExecutor(64) as pool:
    readers = list(pool.map(begin, range(count)))
statuses = collections.Counter(first[9:12].decode() for _, first in readers)
print(json.dumps(statuses), flush=True)
for line in sys.stdin:
    chosen = readers[:: len(readers) // int(line.split()[1])]
    print(json.dumps([hashlib.sha256(body(*reader)).hexdigest() for reader in chosen]), flush=True)
