import { parseEnv } from 'node:util'

const quotes = ["'", '"', '`']

/**
 * Quotes a value for an `.env`, so that Node (`util.parseEnv`) reads it unchanged. Quotes are added only when required:
 * `docker --env-file` reads them as a part of the value.
 *
 * @returns undefined if no form exists: for a line break or another control character, or all three quotes
 */
export const quoteEnvValue = (value: string): string | undefined => {
  if (/\p{Cc}/u.test(value)) return undefined
  const bare = quotes.some(quote => value.startsWith(quote)) ? [] : [value]
  const quoted = quotes.filter(quote => !value.includes(quote)).map(quote => quote + value + quote)
  return [...bare, ...quoted].find(form => parseEnv(`VALUE=${form}`).VALUE === value)
}
