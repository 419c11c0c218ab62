"""Schedules matches between bots, and keeps their ratings."""
