"""Players of Tuppen and its relatives: rules of thumb, search, and the worlds a seat cannot tell apart."""
