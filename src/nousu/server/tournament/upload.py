"""Uploaded lists of people, read with limits; spreadsheets in a process of their own."""

import asyncio

from nousu.players.processes import OutOfLimits
from nousu.server.tournament.jobs import Jobs
from nousu.tournament.list_files import Source, read_source
from nousu.tournament.packed_lists import MEMORY, SECONDS, check_text, is_packed, read_packed, too_large


async def read_list(jobs: Jobs, event: str, address: str, name: str, data: bytes) -> Source:
    """Read the uploaded list.

    Args:
        jobs: where the process of a workbook is started.
        event: the name of the event.
        address: the client address.
        name: the name of the file.
        data: its bytes.

    Raises:
        Refusal: the file cannot be read, or is too large.
        Unavailable: too many jobs wait.
    """
    try:
        if is_packed(name, data):
            source = await jobs.run(event, address, SECONDS, read_packed, name, data, "", memory=MEMORY)
        else:
            source = await asyncio.to_thread(read_source, name, data)
    except OutOfLimits:
        raise too_large(name) from None
    check_text(source.text, name)
    return source
