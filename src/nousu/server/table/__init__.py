"""The table as a value: no clock, no disk, no asyncio."""
