/** The most characters of one message: for a reader, and so that an edit, which holds its text twice, stays under 64 KiB. */
export const mostCharacters = 4_000

/**
 * Splits a text into messages, at the borders of paragraphs where there are any, else of lines, sentences or words. The
 * beginning of a text that grows is always split the same way.
 */
export const splitText = (text: string, most = mostCharacters): string[] => {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > most) {
    const end = borderOf(rest.slice(0, most))
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest === '' && parts.length > 0 ? parts : [...parts, rest]
}

/** Where to cut, in the second half of a text. */
const borderOf = (text: string): number => {
  for (const border of ['\n\n', '\n', '. ', ' ']) {
    const place = text.lastIndexOf(border)
    if (place >= text.length / 2) return place + border.length
  }
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length
}
