import { hash, timingSafeEqual } from 'node:crypto'

/** The longest secret that is compared, in characters. */
const maxLength = 1_000

/** Compares what somebody sent with a secret, in a time that tells nothing about it. */
export const isSameSecret = (given: string, secret: string): boolean =>
  given.length <= maxLength && timingSafeEqual(digest(given), digest(secret))

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
