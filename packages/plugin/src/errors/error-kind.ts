/** The property of an error with its kinds, the same in every installed copy of this package. */
export const errorKinds = Symbol.for('sibyl.error.kinds')

/** Kinds of errors that the oracle treats differently. */
export type ErrorKind = 'oracle' | 'tool' | 'question' | 'boot'
