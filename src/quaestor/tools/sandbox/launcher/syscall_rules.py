"""The system calls that a confined process is refused, by name, with their numbers.

The first number is that of x86-64 (arch/x86/entry/syscalls/syscall_64.tbl), the second that of aarch64
(include/uapi/asm-generic/unistd.h); None: it has none. From 424 on they are the same.
"""

NEWEST_SYSCALL = 462
"""mseal, of Linux 6.10: what has come since then is answered as if the kernel did not know it."""

ALWAYS_DENIED: dict[str, tuple[int | None, int | None]] = {
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # mounts and namespaces; clone is looked into below
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "unshare": (272, 97),
    "setns": (308, 268),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    # the network, and descriptors hidden in a message
    "socket": (41, 198),
    "bind": (49, 200),
    "connect": (42, 203),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    # memory that belongs to nobody, or to everybody
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # the machine
    "acct": (163, 89),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "iopl": (172, None),
    "ioperm": (173, None),
    # where the kernel has been broken before, and no command of a workspace needs it
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "lookup_dcookie": (212, 18),
    "personality": (135, 92),
    "modify_ldt": (154, None),
    "uselib": (134, None),
}
"""Refused with EPERM, in every tier."""

DENIED_UNLESS_ISOLATED: dict[str, tuple[int | None, int | None]] = {
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "inotify_add_watch": (254, 27),
}
"""Refused with EPERM where files outside can be seen, and may belong to the same user."""

FAKED_UNLESS_ISOLATED: dict[str, tuple[int | None, int | None]] = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
}
"""There, answered as if it were done: Landlock has no right for it, and every copy of a file asks for it."""

SIGNAL_CALLS: dict[str, tuple[int | None, int | None]] = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
}
"""Refused with EPERM there, where Landlock does not keep signals within."""

CLONE3 = (435, 435)
"""Answered as if the kernel did not know it: its flags are in memory, and programs then use clone."""
CLONE = (56, 220)
OPENAT2 = (437, 437)
"""Likewise; programs then use openat."""
OPEN = (((2, None), 1), ((257, 56), 2))
"""open and openat, each with the argument that is the flags; the mode is the next one."""
SET_MODE = (
    ((90, None), 1),
    ((91, 52), 1),
    ((268, 53), 2),
    ((452, 452), 2),
    ((85, None), 1),
    ((133, None), 1),
    ((259, 33), 2),
)
"""chmod, fchmod, fchmodat, fchmodat2, creat, mknod and mknodat, each with the argument that is the mode."""
MMAP = (9, 222)
IOCTL = (16, 29)
FCNTL = (72, 25)
SOCKETPAIR = (53, 199)
PRCTL = (157, 167)
PRLIMIT = (302, 261)
SET_PRIORITY = (141, 140)
SET_IO_PRIORITY = (251, 30)
SCHEDULING = ((144, 119), (142, 118), (203, 122), (314, 274))
"""sched_setscheduler, sched_setparam, sched_setaffinity and sched_setattr: the first argument is whom it is done to."""
