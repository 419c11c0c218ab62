"""Generated from proto/ by `python3 run.py protos`; do not edit."""
