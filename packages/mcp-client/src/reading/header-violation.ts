import { isObject } from '@sibyl/protocol'

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const types = ['string', 'integer', 'boolean']
const key = 'x-mcp-header'

/**
 * Returns the error of the headers that the schema of a tool declares (SEP-2243), if any. Such tools must not be
 * offered: their calls would send unexpected headers.
 */
export const headerViolation = (schema: unknown): string | undefined => {
  const names = new Set<string>()
  let declared = 0

  const isWrong = (node: unknown): boolean => {
    if (!isObject(node)) return false
    for (const member of Object.values(isObject(node.properties) ? node.properties : {})) {
      if (isObject(member) && key in member) {
        const name = member[key]
        if (typeof name !== 'string' || !token.test(name) || names.has(name.toLowerCase())) return true
        if (!types.includes(String(member.type))) return true
        names.add(name.toLowerCase())
        declared++
      }
      if (isWrong(member)) return true
    }
    return false
  }
  const wrong = isWrong(schema) || declared !== JSON.stringify(schema).split(`"${key}":`).length - 1
  return wrong ? 'Its input schema declares headers that are not allowed.' : undefined
}
