import type { ListedFault } from '../errors/command-error.ts'
import { cleanLine } from '../output/clean-text.ts'

/** The most faults that are listed, and the most characters of one. */
const [maxFaults, maxLength] = [50, 300]

/** Faults from outside, safe to print, each a sentence; the whole is `/`. */
export const listFaults = (faults: readonly ListedFault[]): readonly ListedFault[] => {
  const listed = faults
    .slice(0, maxFaults)
    .map(({ path, message }) => ({ path: short(path) || '/', message: endSentence(short(message)) }))
  const left = faults.length - listed.length
  return left > 0 ? [...listed, { path: '/', message: `And ${left} more.` }] : listed
}

/** Returns a text with the full stop that it may lack. */
export const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Returns a text that begins a sentence. */
export const sentenceStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const short = (text: string): string => cleanLine(text.slice(0, maxLength))
