import { hash, timingSafeEqual } from 'node:crypto'

const maxLength = 1_000

/** Compares a value with a secret in constant time. */
export const isSameSecret = (given: string, secret: string): boolean =>
  given.length <= maxLength && timingSafeEqual(digest(given), digest(secret))

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
