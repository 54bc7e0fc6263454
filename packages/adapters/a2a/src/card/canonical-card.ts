import { isObject } from '@sibyl/protocol'
import canonicalize from 'canonicalize'

/**
 * Returns the text of a card that its signatures cover (A2A 1.0, section 8.4): RFC 8785 over the card without `signatures` and
 * without members that are empty, since encoders of A2A leave those out. Decoders of A2A 1.0 also leave out the members of 0.3.
 */
export const canonicalCard = (card: Readonly<Record<string, unknown>>): string => {
  const { signatures: _, ...given } = card
  const signed = Object.fromEntries(Object.entries(given).filter(([name]) => !olderMembers.has(name)))
  const { securitySchemes: schemes } = signed
  if (isObject(schemes)) {
    signed.securitySchemes = Object.fromEntries(
      Object.entries(schemes).map(([name, scheme]) => {
        const { type: _type, scheme: _scheme, ...rest } = isObject(scheme) ? scheme : {}
        return [name, rest]
      }),
    )
  }
  return canonicalize(withoutEmpty(signed) ?? {}) ?? '{}'
}

/** Members of a card that only A2A 0.3 has. */
const olderMembers: ReadonlySet<string> = new Set(['protocolVersion', 'url', 'preferredTransport', 'security'])

const withoutEmpty = (value: unknown): unknown => {
  if (value === '' || value === null || value === undefined) return undefined
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter(item => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  if (typeof value !== 'object') return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    const kept = withoutEmpty(member)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return members.length > 0 ? Object.fromEntries(members) : undefined
}
