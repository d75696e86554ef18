"""confined.py SETTING COMMAND...: runs COMMAND under the system call filter that systemd would make of a unit.

SETTING is JSON: `allowed`, the names of system calls; `families`, the numbers of address families. What systemd does
besides (mounts, user, capabilities) whoever calls this does. The filter is made by libseccomp, as systemd's is.
"""
import ctypes
import errno
import json
import os
import sys

setting = json.loads(sys.argv[1])
lib = ctypes.CDLL("libseccomp.so.2", use_errno=True)
lib.seccomp_init.restype = ctypes.c_void_p
lib.seccomp_init.argtypes = [ctypes.c_uint32]
lib.seccomp_load.argtypes = [ctypes.c_void_p]
lib.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]


class Compare(ctypes.Structure):
    _fields_ = [
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    ]


lib.seccomp_rule_add_array.argtypes = [
    ctypes.c_void_p,
    ctypes.c_uint32,
    ctypes.c_int,
    ctypes.c_uint,
    ctypes.POINTER(Compare),
]
ALLOW = 0x7FFF0000
EQUAL, MASKED = 4, 7


def refuse(number):
    return 0x00050000 | number


filters = lib.seccomp_init(refuse(errno.EPERM))


def add(action, name, *compares):
    number = lib.seccomp_syscall_resolve_name(name.encode())
    if number < 0:
        return
    array = (Compare * max(1, len(compares)))(*compares)
    failed = lib.seccomp_rule_add_array(filters, action, number, len(compares), array)
    assert failed == 0, (name, failed)


# RestrictNamespaces: no flag of a new namespace; clone3 hides its flags, so it must seem not to be there.
NAMESPACES = 0x7E020080
special = {"socket", "socketpair", "clone", "clone3", "unshare", "setns", "personality"}
for name in setting["allowed"]:
    if name not in special:
        add(ALLOW, name)
for family in setting["families"]:
    for name in ("socket", "socketpair"):
        add(ALLOW, name, Compare(0, EQUAL, family, 0))
add(ALLOW, "clone", Compare(0, MASKED, NAMESPACES, 0))
add(refuse(errno.ENOSYS), "clone3")
# LockPersonality: only to ask for it.
add(ALLOW, "personality", Compare(0, EQUAL, 0xFFFFFFFF, 0))

os.umask(0o077)
assert lib.seccomp_load(filters) == 0
os.execv(sys.argv[2], sys.argv[2:])
