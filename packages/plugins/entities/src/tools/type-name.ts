import { ToolFailure } from '@sibyl/core'
import { entityType } from '@sibyl/protocol'

/**
 * A type as people say it in the form that types have: 'clean cooking device' is `CleanCookingDevice`.
 *
 * @throws ToolFailure `tool_failed` for what cannot be one
 */
export const typeName = (said: string): string => {
  const text = said.trim()
  if (/^[A-Z][\w-]*$/.test(text) && entityType.safeParse(text).success) return text
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  const name = words.map(word => `${word[0]!.toUpperCase()}${word.slice(1)}`).join('')
  if (entityType.safeParse(name).success) return name
  throw new ToolFailure(
    'A type is a few words in Latin letters, such as CookStove, at most 64 characters. Give another one.',
  )
}
