"""Lucky Numbers: be the first to fill a garden in ascending order."""
