/**
 * How core writes what many write at once: each statement decides by the rows that it changes itself, so that nothing
 * has to run again where two processes meet. A write that goes by what it only read is not done so.
 */
export const rowByRow = { isolation: 'read committed' } as const
