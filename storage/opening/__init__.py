"""Files and servers: lock, header, backup, migration."""
