"""An address as a QR code: a picture for a page, or letters for a terminal.

Needs the extra ``tournament``; without it there is no code, only the address.
"""

import io
from html import escape


def picture(address: str, label: str) -> str:
    """The code as SVG, black on white, with the spoken `label`; empty without the extra."""
    try:
        import segno
    except ImportError:
        return ""
    out = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=False, omitsize=True, border=2, dark="#000", light="#fff"
    )
    drawn = out.getvalue().decode().strip()
    return drawn.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


def letters(address: str) -> str:
    """The code in letters of a terminal; empty without the extra."""
    try:
        import segno
    except ImportError:
        return ""
    out = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out, compact=True)
    return out.getvalue()
