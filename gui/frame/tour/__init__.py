"""The tour: a few steps on the demonstration corpus, each noticed when it is done."""
