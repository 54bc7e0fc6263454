import type { ListedViolation } from '../errors/command-error.ts'
import { cleanLine } from '../output/clean-text.ts'

/** The maximum number of listed errors, and the maximum length of one. */
const [maxViolations, maxLength] = [50, 300]

/** Formats errors from outside as sentences, safe to print; the whole document is `/`. */
export const listViolations = (violations: readonly ListedViolation[]): readonly ListedViolation[] => {
  const listed = violations
    .slice(0, maxViolations)
    .map(({ path, message }) => ({ path: short(path) || '/', message: endSentence(short(message)) }))
  const left = violations.length - listed.length
  return left > 0 ? [...listed, { path: '/', message: `And ${left} more.` }] : listed
}

/** Returns a text with a full stop at its end. */
export const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const short = (text: string): string => cleanLine(text.slice(0, maxLength))
