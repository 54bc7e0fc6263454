import { randomBytes } from 'node:crypto'

/** A new id, `urn:uuid:` and a UUIDv7 (RFC 9562 §5.7): ids are ordered by time and tell nothing else. */
export const newCredentialId = (now: number): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
  return `urn:uuid:${parts.join('-')}`
}

const form = /^(?:urn:uuid:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Reads an id, with or without `urn:uuid:`; undefined where it is none. */
export const parseCredentialId = (text: string): string | undefined => {
  const [, uuid] = form.exec(text.trim()) ?? []
  return uuid && `urn:uuid:${uuid.toLowerCase()}`
}
