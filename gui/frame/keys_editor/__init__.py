"""The keys in the settings: which command has which, and changing them."""
