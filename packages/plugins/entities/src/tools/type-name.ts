import { entityType } from '@sibyl/protocol'

/** Words that lead to something else than the type, as in 'stove for my mother'. */
const leading = /\b(?:as|at|by|called|for|from|in|me|named|of|on|to|under|with)\b/i

const mostWords = 4

/**
 * A type as people say it in the form that types have: 'clean cooking device' is `CleanCookingDevice`.
 *
 * @returns undefined for what cannot be one
 */
export const typeName = (said: string): string | undefined => {
  const text = said.trim()
  if (/^[A-Z][\w-]*$/.test(text)) return entityType.safeParse(text).data
  if (leading.test(text) || text.split(/\s+/).length > mostWords) return undefined
  const words =
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const name = words.map(word => `${word[0]!.toUpperCase()}${word.slice(1)}`).join('')
  return entityType.safeParse(name).data
}
