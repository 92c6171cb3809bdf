"""One case a line in, one answer a line out: thousands are judged by one process, each as soon as it arrives."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, BinaryIO

from gin_local.desk.failures import DeskError

_encode = json.JSONEncoder(separators=(",", ":")).encode


def answer_lines(source: BinaryIO, sink: BinaryIO, judge: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    """Write the judgement of each JSON object of `source`, or ``{"error": …}`` for a line that has none, and go on.

    Every line gets exactly one line, an empty one too, so that answers can be counted off against cases. Each is
    flushed at once: the writer of a pipe may wait for it. Returns how many lines were refused.
    """
    refused = 0
    for line in source:
        try:
            answer = judge(_read(line))
        except DeskError as wrong:
            answer = {"error": str(wrong)}
            refused += 1
        sink.write(_encode(answer).encode() + b"\n")
        sink.flush()
    return refused


def _read(line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as wrong:
        raise DeskError(f"not JSON: {wrong}") from wrong
    if not isinstance(data, dict):
        raise DeskError("not a JSON object")
    return data
