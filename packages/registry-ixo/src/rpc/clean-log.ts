/** Control characters, halves of surrogate pairs, and marks that reorder text. */
const unsafe = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu

const longest = 300

/** Returns the log of a node on one line that is safe to print, truncated to 300 characters. */
export const cleanLog = (text: string): string => {
  const line = text.slice(0, 20_000).replace(/\s+/g, ' ').replace(unsafe, '').trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line || 'no reason given'
}
