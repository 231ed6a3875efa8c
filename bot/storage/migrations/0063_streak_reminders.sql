-- Players who are reminded before a streak ends, with the day of the latest reminder, such as 20261121.
CREATE TABLE streak_reminders (
    player_id INTEGER NOT NULL PRIMARY KEY,
    day INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
