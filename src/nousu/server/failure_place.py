"""What a log may say about a failure: where it happened, never its message, which might name a card."""

import traceback


def blame(error: BaseException) -> str:
    """The kind of failure and the lines it went through."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return type(error).__name__ + "\n" + "".join(traceback.format_tb(error.__traceback__)).rstrip()
