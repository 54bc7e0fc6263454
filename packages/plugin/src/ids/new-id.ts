import { randomBytes } from 'node:crypto'

/**
 * Returns an id that begins with the time, so that rows of one time are neighbors in the database, and has 72 random bits.
 *
 * @example newId('turn')  // 'turn_0mhz3k2f1V1StGXR8Z5jd'
 */
export const newId = (kind: string): string =>
  `${kind}_${Date.now().toString(36).padStart(9, '0')}${randomBytes(9).toString('base64url')}`
