import { type Actor, isUnchanged, listErrors, page, type Route, route } from '@sibyl/plugin'
import { didText } from '@sibyl/protocol'
import { z } from 'zod'
import { type CredentialRights, credentialsAccess } from '../access/credential-rights.ts'
import { credentialsErrors } from '../definitions/credentials-errors.ts'
import { credentialMembers, readDocument } from '../documents/read-document.ts'
import { credentialRecord, credentialStatuses, credentialSummary } from '../records/credential-record.ts'
import { verdict } from '../records/verdict.ts'
import { readStatusList, type StatusListDependencies } from '../status-lists/status-list-documents.ts'
import { statusListsPath } from '../status-lists/status-place.ts'
import { parseCredentialId, recordOf, summaryOf } from '../storage/credential-records.ts'
import type { CredentialFilters, CredentialStore } from '../storage/credential-store.ts'
import type { CredentialVerifier } from '../verifying/create-verifier.ts'

const credentialPage = page({ name: 'credentials', item: credentialSummary })

const query = credentialPage.query.extend({
  subject: didText.optional().meta({ description: 'DID of the subject' }),
  type: z
    .string()
    .max(100)
    .regex(/^[A-Za-z0-9]+$/, 'must be the name of a type, such as CleanCookingCredential')
    .optional(),
  status: z.enum(credentialStatuses).optional(),
})

interface ReadRoutesDependencies {
  readonly store: CredentialStore
  readonly rights: CredentialRights
  readonly verifier: CredentialVerifier
  readonly lists: StatusListDependencies
}

/** Creates the routes that list, read and verify credentials, and the public status lists. */
export const readRoutes = ({ store, rights, verifier, lists }: ReadRoutesDependencies): Route[] => [
  route.get(
    '/credentials',
    {
      auth: credentialsAccess('credentials/read'),
      summary: 'List credentials, newest first',
      description:
        'Callers who may not see all credentials must set `subject` to their own DID, to an entity of theirs or, with ' +
        '`entities/read`, to any entity.',
      query,
      ok: { 200: { description: 'A page', schema: credentialPage.response } },
      errors: [listErrors.cursor_invalid, credentialsErrors.issuer_not_allowed],
    },
    async c => {
      const { limit, cursor, ...given } = c.req.valid('query')
      const filters = given.subject === undefined ? given : { ...given, subject: await rights.subjectOf(given.subject) }
      await demandList(c.get('actor'), filters, rights)
      const found = await store.list(filters, limit + 1, credentialPage.read(cursor, filters))
      return c.json(credentialPage.make(found, { limit, filters, keyOf: ({ id }) => id, itemOf: summaryOf }), 200)
    },
  ),
  route.get(
    '/credentials/{id}',
    {
      auth: credentialsAccess('credentials/read'),
      summary: 'Get a credential with its status history',
      description:
        'For its subject, the party that issued it by a decision about a claim, callers who may read the entity that is its ' +
        'subject, and callers who may see all credentials.',
      params: z.object({ id: z.string().max(100) }),
      ok: { 200: { description: 'The credential', schema: credentialRecord } },
      errors: [credentialsErrors.credential_not_found],
    },
    async c => {
      const id = parseCredentialId(c.req.valid('param').id)
      const stored = id && (await store.find(id))
      const actor = c.get('actor')
      if (!stored || !(await rights.mayRead(actor, stored))) throw credentialsErrors.credential_not_found()
      return c.json(recordOf(stored, await store.changes(stored.id)), 200)
    },
  ),
  route.post(
    '/credentials/verify',
    {
      auth: 'public',
      summary: 'Verify a credential',
      description:
        'The body is the credential, or an object that has it as `credential` or `verifiableCredential`. Cryptosuites: eddsa-jcs-2022 and ' +
        'eddsa-rdfc-2022. A JWT with EdDSA, ES256, ES256K, RS256 or PS256 is accepted as well. Issuers: did:key, did:jwk and did:web. An ' +
        'invalid credential also gets status 200.',
      body: {
        content: {
          'application/json': { schema: z.looseObject({}) },
          'application/vc': { schema: { type: 'object' } },
          'application/vc+jwt': { schema: { type: 'string' } },
          'application/jwt': { schema: { type: 'string' } },
        },
      },
      ok: { 200: { description: 'The verdict with its checks', schema: verdict } },
      errors: [{ code: 'rate_limited', status: 429 }],
      rateLimit: { name: 'credentials-verify', perMinute: 30 },
    },
    async c => c.json(await verifier.verify(readDocument(await c.req.text(), ...credentialMembers)), 200),
  ),
  route.get(
    `${statusListsPath}/{id}`,
    {
      auth: 'public',
      anyOrigin: true,
      summary: 'Get a status list of credentials',
      description:
        "A signed BitstringStatusListCredential (W3C Bitstring Status List 1.0). Verifiers read a credential's position " +
        'in it. With `If-None-Match` it is sent only if it has changed.',
      params: z.object({ id: z.string().max(60) }),
      ok: {
        200: {
          description: 'The list',
          content: { 'application/vc': { schema: z.looseObject({}) } },
          headers: z.object({ etag: z.string() }),
        },
        304: { description: 'The list has not changed' },
      },
      errors: [credentialsErrors.status_list_not_found, { code: 'signing_key_missing', status: 503 }],
    },
    async c => {
      const list = await readStatusList(c.req.valid('param').id, lists)
      if (!list) throw credentialsErrors.status_list_not_found()
      const headers = { etag: list.etag, 'cache-control': 'public, no-cache' }
      if (isUnchanged(c.req.raw.headers, list.etag)) return c.body(null, 304, headers)
      return c.body(list.text, 200, { ...headers, 'content-type': 'application/vc' })
    },
  ),
]

const demandList = async (actor: Actor, { subject }: CredentialFilters, rights: CredentialRights): Promise<void> => {
  if (rights.mayAlways(actor, 'credentials/read')) return
  if (subject === undefined || !(await rights.mayReadOf(actor, subject))) throw credentialsErrors.issuer_not_allowed()
}
