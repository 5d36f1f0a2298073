"""Reaches the network, or somebody on this machine who might."""

import ctypes
import socket

from tools.sandbox.probes.prelude import Target, call, through


def by_tcp(target: Target) -> None:
    with socket.create_connection(("127.0.0.1", target.tcp), 2) as connection:
        connection.sendall(b"x")


def by_tcp_in_one_message(target: Target) -> None:
    with socket.socket() as connection:
        connection.sendto(b"x", 0x20000000, ("127.0.0.1", target.tcp))


def by_udp(target: Target) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", target.udp))


def by_a_local_socket(target: Target) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(target.local)
        connection.sendall(b"x")


def by_a_local_socket_without_a_file(target: Target) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\0" + target.abstract)
        connection.sendall(b"x")


def by_a_pair_of_datagrams(target: Target) -> None:
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", target.datagrams)


def by_a_raw_socket() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    through()


def by_a_packet_socket() -> None:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
    through()


def by_a_socket_to_the_kernel() -> None:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()
    through()


def by_a_socket_to_the_host_of_a_virtual_machine() -> None:
    socket.socket(40, socket.SOCK_STREAM).close()
    through()


def as_a_server() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        through()


def by_a_ring_of_requests() -> None:
    through(call(425, 425, 4, ctypes.create_string_buffer(120)))
