/** Others changed the same since it was read: what was prepared is to be prepared anew. Never leaves the writer. */
export class Clash extends Error {}
