"""Labelled spans: Label Studio and doccano."""
