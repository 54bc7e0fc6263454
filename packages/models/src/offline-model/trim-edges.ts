/** Drops characters from both ends of a text as long as they are of a kind; linear, whatever the text. */
export const trimEdges = (text: string, dropStart: RegExp | undefined, dropEnd: RegExp): string => {
  let start = 0
  let end = text.length
  while (dropStart && start < end && dropStart.test(text[start]!)) start += 1
  while (end > start && dropEnd.test(text[end - 1]!)) end -= 1
  return text.slice(start, end)
}
