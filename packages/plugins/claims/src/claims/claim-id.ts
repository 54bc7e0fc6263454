import { randomFillSync } from 'node:crypto'

/**
 * Makes ids: a UUIDv7 (RFC 9562) each. Those of one maker come in ascending order, also within a millisecond and when the
 * clock goes back.
 *
 * @param now milliseconds since 1970
 */
export const makeIds = (now: () => number): (() => string) => {
  const random = Buffer.alloc(10)
  let time = 0
  let counter = 0
  return () => {
    randomFillSync(random)
    const given = now()
    counter = given > time ? random.readUInt16BE(0) & 0x3ff : counter + 1
    time = Math.max(time, given) + (counter > 0xfff ? 1 : 0)
    counter &= 0xfff
    random.writeUInt8((random.readUInt8(2) & 0x3f) | 0x80, 2)
    const stamp = time.toString(16).padStart(12, '0')
    const rest = random.toString('hex', 2)
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${rest.slice(0, 4)}-${rest.slice(4)}`
  }
}

/** The node of a claim in the graph. */
export const claimUri = (id: string): string => `urn:uuid:${id}`

/** The id of a claim that is named by its id or by its node. */
export const claimIdOf = (named: string): string => named.replace(/^urn:uuid:/i, '').toLowerCase()

/** What names a claim: its id or its node. */
export const claimIdForm = /^(?:urn:uuid:)?[0-9a-fA-F-]{36}$/
