"""A file system in user space (FUSE, linux/fuse.h) with one empty folder, which stops answering when it is told to.

hanging_mount.py FOLDER: mounts it, says `mounted`, and takes `hang` and `answer` from standard input, a line each. What it
is asked while it hangs waits in the kernel, where no signal reaches it, as on an NFS mount whose server is away.
"""
import ctypes
import errno
import os
import select
import struct
import sys

GETATTR, STATFS, OPENDIR, READDIR, RELEASEDIR, INIT, ACCESS, FORGET, BATCH_FORGET, INTERRUPT = (
    3, 17, 27, 28, 29, 26, 34, 2, 42, 36)
folder = sys.argv[1]
device = os.open("/dev/fuse", os.O_RDWR)
libc = ctypes.CDLL(None, use_errno=True)
options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()},allow_other"
if libc.mount(b"hanging", folder.encode(), b"fuse", 0, options.encode()) != 0:
    sys.exit(f"not mounted: {os.strerror(ctypes.get_errno())}")


def reply(unique, body=b"", error=0):
    os.write(device, struct.pack("<IiQ", 16 + len(body), -error, unique) + body)


def answer(opcode, unique, request):
    if opcode in (FORGET, BATCH_FORGET, INTERRUPT):
        return
    if opcode == INIT:
        # Version 7.31; write sizes and times that do not matter here.
        reply(unique, struct.pack("<IIIIHHIIHHI7I", 7, 31, 65536, 0, 8, 6, 65536, 1, 0, 0, 0, *[0] * 7))
    elif opcode == GETATTR:
        # Valid for no time at all, so that everybody has to ask.
        attributes = struct.pack("<6Q10I", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0o40755, 2, 0, 0, 0, 4096, 0)
        reply(unique, struct.pack("<QII", 0, 0, 0) + attributes)
    elif opcode == STATFS:
        reply(unique, struct.pack("<5Q4I6I", 1000, 500, 500, 10, 5, 4096, 255, 4096, 0, *[0] * 6))
    elif opcode == OPENDIR:
        reply(unique, struct.pack("<QII", 0, 0, 0))
    elif opcode in (READDIR, RELEASEDIR, ACCESS):
        reply(unique)
    else:
        reply(unique, error=errno.ENOENT)


hangs = False
held = []
print("mounted", flush=True)
while True:
    ready, _, _ = select.select([device, 0], [], [])
    if 0 in ready:
        order = os.read(0, 100).decode().strip()
        if order == "":
            break
        hangs = order == "hang"
        if not hangs:
            for request in held:
                answer(*request)
            held.clear()
        print(order, flush=True)
    if device in ready:
        message = os.read(device, 1 << 17)
        _, opcode, unique = struct.unpack_from("<IIQ", message)
        # Taken and not answered: what has not been taken yet, a signal would still end.
        if hangs:
            held.append((opcode, unique, message))
        else:
            answer(opcode, unique, message)
libc.umount2(folder.encode(), 2)
