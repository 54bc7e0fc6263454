const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'
const numberWords = new Map<string, number>([
  ...units.split(' ').map((word, index): [string, number] => [word, index]),
  ...tens.split(' ').map((word, index): [string, number] => [word, (index + 2) * 10]),
  ['dozen', 12],
  ['hundred', 100],
])

const magnitudes = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
])

/** Words that change a number so that it is not the value itself. */
const changing = new Set(
  `not no never than least most under below above except without half quarter third point percent minus plus times per
  lakh crore k m bn tn trillion`.split(/\s+/),
)

/** Digits that stand alone, with groups of three at most, and the unit or currency that may touch them. */
const numeral =
  /^[^\p{L}\p{N}.,+-]*([+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?)(?:°|€|£|(?:kg|g|t|km|cm|mm|l|ml|h|min|eur|usd)\b)?[^\p{L}\p{N}%]*$/iu

/** Maximum words beside the number, such as the three of 'make it 3 days'. */
const maxBeside = 3

/**
 * The one number of a short text: '3', '1,000.5', 'three', 'twenty-one', 'about 3 days', '5 million'.
 *
 * @returns undefined where the text holds no number, several, or more than a number and its unit.
 */
export const readNumber = (text: string): number | undefined => {
  if (text.length > 100) return undefined
  const chunks = text
    .trim()
    .split(/\s+/)
    .filter(chunk => /[\p{L}\p{N}]/u.test(chunk))
  const words = chunks.map(chunk => chunk.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  const factors = words.flatMap(word => magnitudes.get(word) ?? [])
  if (factors.length > 1 || words.some(word => changing.has(word))) return undefined
  const [factor = 1] = factors
  const value = /\d/.test(text) ? readDigits(chunks, factors.length) : readNumberWords(words, factors.length)
  return value === undefined ? undefined : value * factor
}

const readDigits = (chunks: readonly string[], factors: number): number | undefined => {
  const withDigits = chunks.filter(chunk => /\d/.test(chunk))
  if (withDigits.length !== 1 || chunks.length > 1 + factors + maxBeside) return undefined
  const digits = numeral.exec(withDigits[0]!)?.[1]
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}

const readNumberWords = (chunks: readonly string[], factors: number): number | undefined => {
  const words = chunks.flatMap(chunk => chunk.split('-'))
  const known = words.flatMap(word => numberWords.get(word) ?? [])
  const [first, second] = known
  if (first === undefined || words.length > known.length + factors + 2) return undefined
  if (second === undefined) return first
  if (known.length > 2) return undefined
  if (second >= 12 && first < 10) return first * second
  return first >= 20 && second < 10 ? first + second : undefined
}
