"""Tables of texts in data sets: a row or an object an item, roles by column name."""
