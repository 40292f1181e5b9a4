"""What the window shows while no corpus is open."""
