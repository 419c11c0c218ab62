"""Bugs on Rugs: pick bugs off the Floor, and mind what the last one does when it flies to the Wall."""
