// Tuppi and other whist: everything as at any table.
export const family = {};
