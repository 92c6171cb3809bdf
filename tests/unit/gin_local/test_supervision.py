"""supervisord's settings, read back by supervisord's own reader."""

from pathlib import Path

import pytest
from supervisor.options import ServerOptions  # type: ignore[import-untyped]  # ships no types
from supervisor.process import Subprocess  # type: ignore[import-untyped]  # ships no types

from gin_local.errors import HouseError
from gin_local.supervision import Program, configuration


def _configuration(tmp_path: Path, program: Program) -> str:
    return configuration(
        [program], socket_path=tmp_path / "s.sock", run=tmp_path, logs=tmp_path, directory=tmp_path, user=None
    )


def test_supervisord_reads_the_command_and_environment_that_were_meant(tmp_path: Path) -> None:
    environment = {"URL": "postgresql://a:p%40ss,w=rd@h:1/x?y=z", "EMPTY": "", "WORDS": "it's two words"}
    program = Program("api", ["/bin/echo", "gin_lobby.app:create_app()", "100% sure", "it's"], environment)
    path = tmp_path / "supervisord.conf"
    path.write_text(_configuration(tmp_path, program))
    options = ServerOptions()
    options.realize(["-c", str(path), "-n"])
    (group,) = options.process_group_configs
    (process,) = group.process_configs
    words = Subprocess(process).get_execv_args()[1]
    assert words == list(program.command)
    assert process.environment == environment
    assert (process.autostart, process.redirect_stderr) == (False, True)


@pytest.mark.parametrize("value", ['say "hello"', "two\nlines", "a ;comment", "a #comment", "'quoted'"])
def test_value_that_supervisord_would_change_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(HouseError):
        _configuration(tmp_path, Program("api", ["/bin/true"], {"VALUE": value}))
