"""Measurements that anybody can repeat: how strong bots are, and how fast engines and referee are."""
