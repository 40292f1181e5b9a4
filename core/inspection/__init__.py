"""Error analysis: coverage of abstract sentences by systems, wasted places, similar sentences."""
