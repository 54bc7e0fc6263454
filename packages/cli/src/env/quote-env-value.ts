import { parseEnv } from 'node:util'

const quotes = ["'", '"', '`']

/**
 * Writes a value as it stands behind `NAME=` in an `.env`, so that Node (`util.parseEnv`) reads the same back. Quotes come
 * only where they must: `docker --env-file` takes them for a part of the value.
 *
 * @returns undefined where no form says it: with a line break or another control character, or with all three quotes
 */
export const quoteEnvValue = (value: string): string | undefined => {
  if (/\p{Cc}/u.test(value)) return undefined
  const bare = quotes.some(quote => value.startsWith(quote)) ? [] : [value]
  const quoted = quotes.filter(quote => !value.includes(quote)).map(quote => quote + value + quote)
  return [...bare, ...quoted].find(form => parseEnv(`VALUE=${form}`).VALUE === value)
}
