import type { Logger } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'

/** The longest result of a tool, and the longest part that it adds, in characters of JSON. */
export const maxToolOutput = 256_000

const partName = /^[a-z][a-z0-9-]{0,63}$/

/** Core's own data parts. */
const reservedParts: ReadonlySet<string> = new Set(['capability', 'notice', 'question'])

/** The part that a tool adds, as a copy that JSON can carry; undefined, with a line in the log, when it is none. */
export const readPart = (
  tool: string,
  part: unknown,
  log: Logger,
): { readonly name: string; readonly data: JsonValue } | undefined => {
  const refuse = (fault: string) => {
    log.error('a tool added a part that cannot be used', { tool, fault })
    return undefined
  }
  try {
    const { name, data } = part as { readonly name: unknown; readonly data: unknown }
    if (typeof name !== 'string' || !partName.test(name)) return refuse('its name is not lower case with hyphens')
    if (reservedParts.has(name)) return refuse(`the name '${name}' is core's own`)
    const json = JSON.stringify(data)
    if (json === undefined) return refuse('its data is not JSON')
    if (json.length > maxToolOutput) return refuse(`its data is larger than ${maxToolOutput} characters`)
    return { name, data: JSON.parse(json) as JsonValue }
  } catch {
    return refuse('its data is not JSON')
  }
}
