"""Ids of actions on a whole corpus, stable as the log stores them."""

from typing import Final

IMPORT: Final = "import"
MERGE: Final = "merge"
EDIT_PROJECT: Final = "edit_project"
ASSIGN: Final = "assign"
REMOVE_TOPICS: Final = "remove_topics"
REMOVE_DOCUMENTS: Final = "remove_documents"
REMOVE_ABSTRACTS: Final = "remove_abstracts"
REMOVE_SYSTEMS: Final = "remove_systems"
REMOVE_ALIGNMENTS: Final = "remove_alignments"
REMOVE_HUMAN_SCORES: Final = "remove_human_scores"
