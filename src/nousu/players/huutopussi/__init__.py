"""Players of Huutopussi: rules of thumb, search, and the worlds a seat cannot tell apart."""
