-- The role that the first of a server's weekly report gets, the user who named it, its holder or 0, and why
-- it could not be given. The holder is stored before the role is given.
CREATE TABLE champion_roles (
    guild_id INTEGER NOT NULL PRIMARY KEY,
    role_id INTEGER NOT NULL,
    admin_id INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    is_given INTEGER NOT NULL,
    error TEXT NOT NULL
) STRICT, WITHOUT ROWID;
