import type { CommandIo } from '../process/command-io.ts'

/** Control characters except line feed and tab, unpaired surrogates, and marks that reorder text. */
const unsafe = /[[\p{Cc}\p{Cs}\p{Bidi_Control}]--[\n\t]]/gv

/**
 * Makes text from outside safe to print on a terminal: removes escape sequences and marks that reorder text. The rest
 * of a sequence stays visible.
 */
export const cleanText = (text: string): string => text.replace(/[\u2028\u2029]/g, '\n').replace(unsafe, '')

/** Returns the cleaned text on one line, with runs of white space as one space. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim()

/**
 * Serializes a value as JSON without control characters of a terminal.
 *
 * @param indent Spaces of indentation per level. @default all on one line
 */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(
    /[[\p{Cc}\p{Bidi_Control}\u2028\u2029]--\n]/gv,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Writes the object of a command with `--json` to standard output, on one line. */
export const writeJson = ({ stdout }: CommandIo, value: object): void => {
  stdout.write(`${safeJson(value)}\n`)
}
