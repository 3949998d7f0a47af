"""Tracebacks for logs, without messages."""

import traceback


def safe_traceback(error: BaseException) -> str:
    """The class of an exception and the lines it went through; never its message, which might name a card."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return type(error).__name__ + "\n" + "".join(traceback.format_tb(error.__traceback__)).rstrip()
