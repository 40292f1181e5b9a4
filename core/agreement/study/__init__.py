"""Agreement study: request, computation, results."""
