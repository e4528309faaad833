"""Mathematics only: hybrid systems integrated with events, DAEs, linear algebra."""
