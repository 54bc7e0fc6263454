import { z } from '@hono/zod-openapi'
import type { HostIdentity } from '@sibyl/plugin'
import { normalDid, phoneChannel } from '@sibyl/protocol'

/** Path parameters of routes about one person. */
export const personParams = z.object({
  person: z
    .string()
    .max(500)
    .regex(/^(did:[a-z0-9]+:\S+|\+[1-9][0-9]{6,14})$/, 'expected a DID, or a phone number such as +260971234567')
    .overwrite(person => (person.startsWith('+') ? person : normalDid(person)))
    .meta({ description: "The person's DID, or a phone number in E.164", example: 'did:key:z6Mk…' }),
})

/** Returns the DID of a person who is identified by DID or phone number. */
export const didOf = (person: string, identity: Pick<HostIdentity, 'pairwiseDid'>): string =>
  person.startsWith('+') ? identity.pairwiseDid(phoneChannel, person) : person
