/** Minimum number of words of a recovery phrase. */
const fewest = 12
/** Maximum number of characters between two words of one phrase, such as `, 12. `. */
const longestGap = 8
const words = /[\p{L}\p{M}]+/gu
/** Words between the items of a list. */
const conjunction = /^(?:and|et|y|e|und|na)$/i
const han = /^\p{Script=Han}+$/u

/**
 * Returns whether a text contains a recovery phrase (BIP-39) in one of its languages: twelve consecutive words of one
 * list. The Chinese list has the most common characters, so its words only count if they are separated or if their
 * checksum is valid.
 */
export const hasRecoveryPhrase = async (text: string): Promise<boolean> => {
  const normal = text.normalize('NFKD')
  const found = [...normal.matchAll(words)]
  const unbroken = found.map(([word]) => word).filter(word => han.test(word) && [...word].length >= fewest)
  if (found.length < fewest && unbroken.length === 0) return false
  const { foldWords, isChinesePhrase, recoveryWords } = await import('./recovery-words.ts')
  if (unbroken.some(isChinesePhrase)) return true
  const rows = rowsOf(found).map(row => row.map(foldWords))
  return rows.some(row => recoveryWords.some(list => longestRow(row, list) >= fewest))
}

/** Splits words at large gaps. */
const rowsOf = (found: readonly RegExpExecArray[]): string[][] => {
  const rows: string[][] = [[]]
  let end = 0
  for (const match of found) {
    if (match.index - end > longestGap) rows.push([])
    end = match.index + match[0].length
    if (!conjunction.test(match[0])) rows.at(-1)!.push(match[0])
  }
  return rows
}

const longestRow = (row: readonly string[], list: ReadonlySet<string>): number => {
  let [longest, current] = [0, 0]
  for (const word of row) {
    current = list.has(word) ? current + 1 : 0
    longest = Math.max(longest, current)
  }
  return longest
}
