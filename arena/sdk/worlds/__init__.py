"""Imagined worlds for bots in any language, served inside the bot's own sandbox: `worlds = true` in bot.toml."""
