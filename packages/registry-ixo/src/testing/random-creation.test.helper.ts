import type { EntityCreation } from '@sibyl/plugin-entities/records'
import type { JsonValue } from '@sibyl/protocol'

/** Numbers between 0 and 1 that follow from a seed. */
export const seeded = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A creation that the chain can keep whole. */
export const randomCreation = (random: () => number): EntityCreation => {
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  const maybe = <Item>(make: () => Item): Item | undefined => (random() < 0.5 ? make() : undefined)
  const text = () =>
    Array.from({ length: below(12) }, () => pick(['a', 'Z', ' ', '"', '\\', '\n', 'ß', '水', '🌊'])).join('')
  const did = (index: number) =>
    pick([`did:web:example.org:e${index}`, `did:key:z6Mk${index}`, `did:ixo:entity:${index}`])
  const value = (depth: number): JsonValue => {
    if (depth === 0 || random() < 0.6) return pick<JsonValue>([null, true, below(1e9), -0.5, text()])
    const items = Array.from({ length: below(4) }, () => value(depth - 1))
    return random() < 0.5 ? items : Object.fromEntries(items.map((item, index) => [`k${index}${text()}`, item]))
  }
  const properties = () => Object.fromEntries(Array.from({ length: below(5) }, (_, index) => [`p${index}`, value(3)]))
  const services = () =>
    Array.from({ length: below(4) }, (_, index) => ({
      id: `#s${index}-${pick(['api', 'x.y', '_'])}`,
      type: `T${text()}`,
      endpoint: pick([
        'https://example.org/a?b=c#d',
        'http://localhost:4000',
        'mailto:a@example.org',
        'did:web:a.example',
      ]),
    }))
  const relationships = () => ({
    ...(random() < 0.5 ? { owns: did(1) } : {}),
    ...(random() < 0.5 ? { 'part-of': [did(2), did(3)] } : {}),
  })
  return {
    type: pick(['Oracle', 'OracleEntity', 'CookStove', 'Protocol', 'fleet', 'a_b-c']),
    protocol: maybe(() => did(9)),
    controller: maybe(() =>
      pick(['did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', 'did:web:owner.example']),
    ),
    properties: maybe(properties),
    services: maybe(services),
    relationships: maybe(relationships),
    alsoKnownAs: maybe(() => [pick([did(7), 'https://example.org/me', `urn:${text()}x`])]),
  }
}
