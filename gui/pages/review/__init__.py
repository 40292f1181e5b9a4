"""The Review page: how far annotators agree, and where they do not."""
