import { type Actor, type Route, route } from '@sibyl/plugin'
import { didText } from '@sibyl/protocol'
import { z } from 'zod'
import type { CredentialRights } from '../access/credential-rights.ts'
import { credentialRecord, credentialSummary, recordOf, summaryOf } from '../credential-records.ts'
import { credentialsErrors } from '../credentials-errors.ts'
import { parseCredentialId } from '../issuing/credential-id.ts'
import type { CredentialFilters, CredentialStore } from '../storage/credential-store.ts'
import { credentialStatuses } from '../storage/credentials-tables.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { credentialsAccess } from './route-answers.ts'

const query = z.object({
  subject: didText.optional().meta({ description: 'The DID of whom they are about' }),
  type: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9]+$/, 'must be the name of a type, such as CleanCookingCredential')
    .optional(),
  status: z.enum(credentialStatuses).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(300).optional().meta({ description: '`next` of the page before' }),
})

const page = z.object({ credentials: z.array(credentialSummary), next: z.string().optional() })

/** `GET /credentials` and `GET /credentials/:id`. */
export const readRoutes = (store: CredentialStore, rights: CredentialRights): Route[] => [
  route.get(
    '/credentials',
    {
      auth: credentialsAccess('credentials/read'),
      summary: 'List credentials, the newest first',
      description: 'Who may not see all of them gives as `subject` themselves or an entity of theirs.',
      query,
      ok: { 200: { description: 'A page', schema: page } },
      errors: [credentialsErrors.cursor_invalid, credentialsErrors.issuer_not_allowed],
    },
    async c => {
      const { limit, cursor, ...given } = c.req.valid('query')
      const filters = given.subject === undefined ? given : { ...given, subject: await rights.subjectOf(given.subject) }
      await demandList(c.get('actor'), filters, rights)
      const before = cursor === undefined ? undefined : readCursor(cursor, filters)
      const found = await store.list(filters, limit + 1, before)
      const credentials = found.slice(0, limit)
      const last = found.length > limit ? credentials.at(-1) : undefined
      return c.json(
        { credentials: credentials.map(summaryOf), ...(last ? { next: writeCursor(last.id, filters) } : {}) },
        200,
      )
    },
  ),
  route.get(
    '/credentials/{id}',
    {
      auth: credentialsAccess('credentials/read'),
      summary: 'A credential, and what became of it',
      description: 'For whom it is about, the controller of the entity that it is about, and those who may see all.',
      params: z.object({ id: z.string().max(100) }),
      ok: { 200: { description: 'The credential', schema: credentialRecord } },
      errors: [credentialsErrors.credential_not_found],
    },
    async c => {
      const id = parseCredentialId(c.req.valid('param').id)
      const stored = id && (await store.find(id))
      const actor = c.get('actor')
      const isAllowed =
        stored && (rights.mayAlways(actor, 'credentials/read') || (await rights.isHolder(actor, stored.subject)))
      if (!stored || !isAllowed) throw credentialsErrors.credential_not_found()
      return c.json(recordOf(stored, await store.changes(stored.id)), 200)
    },
  ),
]

const demandList = async (actor: Actor, { subject }: CredentialFilters, rights: CredentialRights): Promise<void> => {
  if (rights.mayAlways(actor, 'credentials/read')) return
  if (subject === undefined || !(await rights.isHolder(actor, subject))) throw credentialsErrors.issuer_not_allowed()
}
