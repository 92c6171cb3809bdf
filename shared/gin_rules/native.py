"""What compiled code is told about types; where nothing is compiled, it means nothing.

`i64` is an int of 64 bits, which compiled code keeps in a register; `mypyc_attr` says how a class is laid out. Both
come from mypyc's own library, which only a compiler needs: this module is what everybody else imports in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64 as i64
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    i64 = int

    def mypyc_attr(**_):
        """Leave the class as it is."""
        return lambda value: value
