"""What a metric takes its numbers from, beside the sentence that is inspected."""
