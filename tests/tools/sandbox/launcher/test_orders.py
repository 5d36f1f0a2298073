from quaestor.tools.sandbox.launcher.confine import LauncherOptions

_ALWAYS = (
    *(
        "control=3",
        "workspace=/a=b",
        "alone=yes",
        "modes=no",
        "landlock=7",
        "seconds=1.5",
        "memory=1",
        "processes=2",
        "disk=3",
    ),
    "scratch=/tmp",
)


def test_orders_say_what_they_are_told_and_the_command_is_left_as_it_is() -> None:
    orders = LauncherOptions(
        [*_ALWAYS, "writable=/a", "writable=/b", "environment=KEY=a=b", "--", "echo", "--", "seconds=9"]
    )
    assert orders.command == ["echo", "--", "seconds=9"]
    assert (orders.workspace, orders.seconds, orders.alone, orders.modes) == ("/a=b", 1.5, True, False)
    assert orders.writable == ["/a", "/b"]
    assert orders.readable == []
    assert orders.environment == {"KEY": "a=b"}
