import { isObject } from '@sibyl/protocol'
import type { ZodType } from 'zod'

/**
 * Returns the input of a call without members that the schema of its tool drops, so that they are neither stored nor sent. Input
 * that the schema reads differently without them stays as it is.
 */
export const knownInput = async (schema: ZodType, given: unknown, parsed: unknown): Promise<unknown> => {
  const known = common(given, parsed)
  if (JSON.stringify(known) === JSON.stringify(given)) return given
  const again = await schema.safeParseAsync(known).catch(() => undefined)
  return again?.success && JSON.stringify(again.data) === JSON.stringify(parsed) ? known : given
}

/** Returns the members of a value that another one has as well, at every depth. */
const common = (value: unknown, other: unknown): unknown => {
  if (Array.isArray(value) && Array.isArray(other) && value.length === other.length) {
    return value.map((item, place) => common(item, other[place]))
  }
  if (!isObject(value) || !isObject(other)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      Object.hasOwn(other, name) ? [[name, common(member, other[name])]] : [],
    ),
  )
}
