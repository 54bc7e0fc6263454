/** The property of an error that names its kinds, the same in every installed copy of this package. */
export const errorKinds = Symbol.for('sibyl.error.kinds')

/** Kinds of errors that the oracle treats differently. */
export type ErrorKind = 'oracle' | 'tool' | 'question' | 'boot'

/** Returns whether an error is of a kind, whichever copy of this package created it. */
export const isOfKind = (error: unknown, kind: ErrorKind): boolean =>
  error instanceof Error && ((error as { [errorKinds]?: readonly unknown[] })[errorKinds]?.includes(kind) ?? false)
