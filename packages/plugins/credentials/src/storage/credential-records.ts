import { randomBytes } from 'node:crypto'
import { isoTime } from '@sibyl/plugin'
import { didText, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import type { StoredCredential } from './credential-store.ts'

const someObject = z.record(z.string().max(200), jsonValue)

/** The body of `POST /credentials/issue`. */
export const issueRequest = z.strictObject({
  type: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'Its type besides VerifiableCredential', example: 'CleanCookingCredential' }),
  subject: someObject
    .and(z.object({ id: didText }))
    .meta({ description: "Claims about the subject; `id` is the subject's DID" }),
  validFrom: z.iso.datetime({ offset: true }).optional().meta({ description: 'Default: now' }),
  validUntil: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'If missing, the credential does not expire' }),
  evidence: z
    .array(someObject.and(z.object({ type: z.string().min(1).max(100) })))
    .max(20)
    .optional()
    .meta({ description: 'Evidence: claims, protocols, documents by their hash' }),
})

/** Reason of a status change, in characters that every database can store. */
export const statusReason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine(text => !text.includes('\0') && text.isWellFormed(), 'has a character that cannot be stored')

/** The body of a change of status. */
export const statusRequest = z.strictObject({
  reason: statusReason.meta({ description: 'Reason; stored with the credential, not published' }),
})

export const summaryOf = ({ id, type, subject, status, issuedBy, issuedAt }: StoredCredential) => ({
  id,
  type,
  subject,
  status,
  issuedBy,
  issuedAt: isoTime(issuedAt),
})

export const recordOf = (
  stored: StoredCredential,
  changes: readonly { kind: 'suspended' | 'reinstated' | 'revoked'; by: string; reason: string; at: number }[] = [],
) => ({
  ...summaryOf(stored),
  credential: { ...stored.document },
  ...(stored.erasedAt === undefined ? {} : { erasedAt: isoTime(stored.erasedAt) }),
  changes: changes.map(change => ({ ...change, at: isoTime(change.at) })),
})

/** Creates an id: `urn:uuid:` and a UUIDv7 (RFC 9562 §5.7). Ids are ordered by time and reveal nothing else. */
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

/** Parses an id, with or without `urn:uuid:`; undefined if it is invalid. */
export const parseCredentialId = (text: string): string | undefined => {
  const [, uuid] = form.exec(text.trim()) ?? []
  return uuid && `urn:uuid:${uuid.toLowerCase()}`
}
