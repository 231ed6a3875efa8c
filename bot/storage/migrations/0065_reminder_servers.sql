-- The server whose daily post mentions a player who takes no DMs, or 0.
ALTER TABLE streak_reminders ADD COLUMN guild_id INTEGER NOT NULL DEFAULT 0;
