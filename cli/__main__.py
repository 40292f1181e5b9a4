"""`python -m awase.cli` is the same as `awase`."""

from awase.cli.main import main

if __name__ == "__main__":
    main()
