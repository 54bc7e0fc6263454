/** The tables of this room. */
export type ChangesTables = Record<never, never>
