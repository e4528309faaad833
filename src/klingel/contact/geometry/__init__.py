"""Where a wheelset touches its rails: search, jumps, conicity."""
