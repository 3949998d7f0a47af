"""Players of Tuppi and its cousins: rules of thumb, search, and the worlds a seat cannot tell apart."""
