"""Opening a corpus that several people write on one server."""
