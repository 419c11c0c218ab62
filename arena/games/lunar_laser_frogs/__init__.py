"""Lunar Laser Frogs: throw your card early and blind or late and informed; the first of its kind scores."""
