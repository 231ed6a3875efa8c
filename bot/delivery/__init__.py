"""The only writer of Discord messages about matches. Contains no rules and no layout."""
