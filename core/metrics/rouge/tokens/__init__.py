"""How texts become numbered tokens for ROUGE."""
