"""The stdio bridge: lets a bot in any language play by reading and writing lines of JSON; docs/stdio.md has it all."""
