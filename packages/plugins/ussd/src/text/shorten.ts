import { addTallies, emptyTally, type Tally, type TextLimits, tallyFits, tallyOf, unitSeptets } from './measure.ts'

/**
 * Truncates a text, between two words if that keeps half of it, with the mark `...`, or `…` outside of GSM-7.
 *
 * @param longest In septets for a GSM-7 text, else in UTF-16 code units; the result is never longer.
 * @example shorten('Chandrasekhar', 8) // 'Chand...'
 */
export const shorten = (text: string, longest: number): string => {
  const { gsm7, septets, units } = tallyOf(text)
  if ((gsm7 ? septets : units) <= longest) return text
  return cut(text, longest, gsm7)
}

/** Truncates a text to fit into one message with other text. */
export const shortenToFit = (text: string, limits: TextLimits, beside: Tally = emptyTally): string => {
  const tally = tallyOf(text)
  if (tallyFits(addTallies(tally, beside), limits)) return text
  if (tally.gsm7 && beside.gsm7) return cut(text, limits.gsm7 - beside.septets, true)
  const space = limits.ucs2 - beside.units
  const plain = beside.gsm7 ? gsm7Beginning(text) : ''
  return plain.length > space ? cut(plain, limits.gsm7 - beside.septets, true) : cut(text, space, false)
}

const cut = (text: string, longest: number, gsm7: boolean): string => {
  const mark = gsm7 ? '...' : '…'
  const upTo = (space: number) => longestPrefix(text, space, tally => (gsm7 ? tally.septets : tally.units) <= space)
  return longest > mark.length ? wholeWords(text, upTo(longest - mark.length)) + mark : upTo(longest)
}

/** Returns the beginning of a text without a partial last word, if at least half of it remains. */
const wholeWords = (text: string, beginning: string): string => {
  if (/^\s/.test(text.slice(beginning.length))) return beginning.trimEnd()
  const end = beginning.search(/\s+\S*$/)
  return end * 2 < beginning.length ? beginning.trimEnd() : beginning.slice(0, end)
}

const gsm7Beginning = (text: string): string => {
  let end = 0
  while (end < text.length && unitSeptets(text.charCodeAt(end)) > 0) end += 1
  return text.slice(0, end)
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Returns the longest accepted beginning of a text, cut between grapheme clusters, or between code points if not even
 * one cluster is accepted.
 *
 * @param max Maximum length in UTF-16 code units: no more of the text is read.
 * @param accept Must accept every beginning of an accepted text.
 */
export const longestPrefix = (text: string, max: number, accept: (tally: Tally) => boolean): string => {
  const near = text.slice(0, max + 1)
  return near.slice(0, acceptedUnits(graphemesOf(near), accept) || acceptedUnits(near, accept))
}

const acceptedUnits = (parts: Iterable<string>, accept: (tally: Tally) => boolean): number => {
  let tally = emptyTally
  for (const part of parts) {
    const longer = addTallies(tally, tallyOf(part))
    if (!accept(longer)) break
    tally = longer
  }
  return tally.units
}

function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text)) yield segment
}
