"""``python -m nousu``: the ``nousu`` command without an installed script."""

from nousu.cli import main

if __name__ == "__main__":
    main()
