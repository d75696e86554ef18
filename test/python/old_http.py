"""Clients of HTTP/1.0, on plain sockets: how much comes, and how the connection ends.

Not in Node: libuv tells of a reset that comes together with data as if it were an orderly end.

    old_http.py PORT TURNS REST_SECONDS LINE...    # a line of JSON a turn
"""

import json
import socket
import sys
import time

port, turns, rest, *lines = sys.argv[1:]
request = "\r\n".join([*lines, "", ""]).encode("latin-1")

for _ in range(int(turns)):
    with socket.create_connection(("127.0.0.1", int(port))) as client:
        client.sendall(request)
        received = bytearray()
        try:
            while piece := client.recv(65536):
                received += piece
                time.sleep(float(rest))
            end = "orderly"
        except ConnectionResetError:
            end = "reset"
    print(json.dumps({"length": len(received), "lines": received.count(b".nc\n"), "end": end}))
