import { addTallies, emptyTally, type Tally, tallyOf } from './tally.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * The longest beginning of a text that is accepted, cut between two characters as readers see them (Unicode grapheme
 * clusters), or between two code points where not even one such character is; never inside a surrogate pair.
 *
 * @param most The UTF-16 code units of the longest beginning that may be accepted: no more of the text is read.
 * @param accept Says yes to a beginning only if it says yes to all shorter ones.
 */
export const longestPrefix = (text: string, most: number, accept: (tally: Tally) => boolean): string => {
  const near = text.slice(0, most + 1)
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
