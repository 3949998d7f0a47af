"""Research on Huutopussi."""
