"""What every metric, extractor and format that another package adds must do.

    pytest --pyargs awase.conformance

asks everything that the installed packages add.
"""
