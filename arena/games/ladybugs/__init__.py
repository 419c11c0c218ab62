"""Ladybugs: count on from your own tiles, and have the most dots in the flower beds."""
