import { z } from '@hono/zod-openapi'
import { narrowAbilities } from '@sibyl/identity'
import { type Actor, holdsAbility, type Route, type ShareOf } from '@sibyl/plugin'
import type { Grant } from '@sibyl/plugin/host'
import { authSchemas, didText, normalDid } from '@sibyl/protocol'
import { isKeyScope, maxApiKeys } from '../auth/api-key-store.ts'
import { type Auth, defaultScopes } from '../auth/make-auth.ts'
import { coreErrors } from '../errors/core-errors.ts'
import { coreRoute } from './core-route.ts'
import { type ProblemFacts, problemResponse } from './problem-response.ts'

const apiKeyId = z.string().regex(/^key_[\w-]{21}$/, 'not the ID of an API key')

const dayMs = 86_400_000
const createAbility = 'api-key/create'
const usualDays = 90

/** `POST`, `GET` and `DELETE /api-keys`: stored API keys of a caller, or those of the operator. */
export const apiKeyRoutes = (auth: Auth, shareOf: ShareOf, now: () => number): Route[] => [
  coreRoute.post(
    '/api-keys',
    {
      auth: { ucan: createAbility, orOperator: true },
      tags: ['Authentication'],
      summary: 'Create an API key for a client that cannot sign',
      description:
        'The key acts as its creator, with the `scopes` of the body: at most those of the creator. It ends when it expires, when it is ' +
        "revoked, and with the creator's own delegation. Keys are created with a UCAN, by the operator, or with a sign-in in which the user " +
        'allowed `api-key/create` by name (`*` does not cover it). A key outlives the sign-in that created it, and has no `operator/…`. ' +
        `A key of the operator acts as \`did\`, or as a DID of its own. A holder has at most ${maxApiKeys.ofHolder} keys. The secret is ` +
        'returned once; the oracle stores its hash.',
      body: authSchemas.apiKeyRequest,
      ok: { 201: { description: 'The key with its secret', schema: authSchemas.createdApiKeyRecord } },
      errors: [
        { code: 'invocation_needed', status: 403 },
        { code: 'scope_not_held', status: 403 },
        { code: 'did_not_yours', status: 403 },
        { code: 'api_keys_full', status: 409 },
      ],
    },
    async c => {
      const actor = c.get('actor')
      const isOperator = actor.via === 'operator'
      const right = isOperator ? undefined : rightOf(actor, auth)
      if (!isOperator && right === undefined) return problemResponse(c, invocationNeeded)
      const { name, did, days = usualDays, ...wanted } = c.req.valid('json')
      if (!isOperator && did !== undefined && did !== actor.did) return problemResponse(c, didNotYours)
      // Plugins trust these DIDs: a delegated operator would get more than was delegated.
      if (actor.grant && did !== undefined && did !== actor.did && auth.isTrusted(did)) {
        return problemResponse(c, didOfOracle)
      }
      const scopes = wanted.scopes ?? narrowAbilities(actor.scopes, defaultScopes.oracle)
      const isGrantable = (scope: string) =>
        isKeyScope(scope) && holdsAbility(actor.scopes, scope) && !(right?.isOfUser && scope.startsWith('operator/'))
      const excess = scopes.find(scope => !isGrantable(scope))
      if (excess !== undefined || scopes.length === 0) return problemResponse(c, scopeNotHeld(excess))
      const at = now()
      const created = await auth.storedKeys.create({
        name,
        scopes,
        expiresAt: at + days * dayMs,
        now: at,
        didOf: id => (isOperator ? (did ?? ownDid(auth, id)) : actor.did),
        share: shareOf(actor, maxApiKeys.ofAll),
        // The operator token has no grant; the key of another operator ends with theirs.
        grant: right ? right.grant : actor.grant,
      })
      if ('full' in created) return problemResponse(c, tooMany[created.full])
      const record: z.infer<typeof authSchemas.createdApiKeyRecord> = { ...created.key, key: created.secret }
      return c.json(record, 201)
    },
  ),
  coreRoute.get(
    '/api-keys',
    {
      auth: { ucan: 'api-key/read', orOperator: true },
      tags: ['Authentication'],
      summary: 'List your API keys; as the operator, those of all',
      description: 'Ordered by ID, without secrets. The next page is after the last ID of this one.',
      query: z.object({
        limit: z.coerce.number().int().min(1).max(1000).default(100),
        after: apiKeyId.optional(),
        did: didText
          .overwrite(normalDid)
          .optional()
          .meta({ description: 'As the operator: only the keys that act as this DID' }),
        rights: z.literal('operator').optional().meta({ description: 'Only the keys with abilities of the operator' }),
      }),
      ok: { 200: { description: 'The valid keys', schema: authSchemas.apiKeyList } },
    },
    async c => {
      const { limit, after, did, rights } = c.req.valid('query')
      const keys = await auth.storedKeys.list({
        did,
        ...onlyOwn(c.get('actor')),
        ofOperator: rights !== undefined,
        after,
        limit,
        now: now(),
      })
      return c.json({ keys }, 200)
    },
  ),
  coreRoute.delete(
    '/api-keys/{id}',
    {
      auth: { ucan: 'api-key/delete', orOperator: true },
      tags: ['Authentication'],
      summary: 'Revoke an API key',
      description: 'It ends at once, in every process, with the work that runs later under it.',
      params: z.object({ id: apiKeyId }),
      ok: { 204: { description: 'Revoked' } },
      errors: [{ code: 'api_key_not_found', status: 404 }],
    },
    async c => {
      const { did } = onlyOwn(c.get('actor'))
      const revoked = await auth.storedKeys.revoke(c.req.valid('param').id, did)
      return revoked ? c.body(null, 204) : problemResponse(c, notFound)
    },
  ),
]

/** The part of an authorization that a key of its user ends with. */
interface KeyRight {
  readonly grant: Grant
  /** True if a sign-in creates the key. */
  readonly isOfUser: boolean
}

/**
 * Returns what a key ends with: the grant of a UCAN, or what is below a sign-in, which the key outlives; undefined if
 * the credential creates no keys.
 */
const rightOf = ({ via, scopes, grant = {} }: Actor, auth: Auth): KeyRight | undefined => {
  if (via === 'ucan') return { grant, isOfUser: false }
  const { credential, ...below } = grant
  const source = credential && auth.credentials.find(({ name }) => name === credential.source)
  if (via !== 'bearer' || !source?.mayCreateKeys || !scopes.includes(createAbility)) return undefined
  return { grant: below, isOfUser: true }
}

const onlyOwn = ({ via, did }: Actor): { readonly did?: string } => (via === 'operator' ? {} : { did })

const ownDid = (auth: Auth, id: string): string => {
  const did = auth.storedKeyDid(id)
  if (did === undefined) throw coreErrors.signing_key_missing()
  return did
}

const invocationNeeded: ProblemFacts = {
  status: 403,
  code: 'invocation_needed',
  title: 'This credential creates no API keys',
  detail:
    'A bearer or an API key cannot create an API key. Send a UCAN invocation with the ability api-key/create, or allow it when you sign in to the console.',
}

const didNotYours: ProblemFacts = {
  status: 403,
  code: 'did_not_yours',
  detail: 'A key acts as its creator. Only the operator creates keys for another DID.',
}

const didOfOracle: ProblemFacts = {
  status: 403,
  code: 'did_not_yours',
  detail: 'Only the operator token creates keys that act as the oracle or as one of its controllers.',
}

const scopeNotHeld = (scope: string | undefined): ProblemFacts => ({
  status: 403,
  code: 'scope_not_held',
  title: 'More than the caller may grant',
  detail:
    scope === undefined
      ? 'You have none of chat/* and session/*. Name the scopes of the key.'
      : `You cannot grant ${scope} to an API key. Request scopes that you have; no key has auth/*, and none of a sign-in has operator/*.`,
})

const fullBy = (detail: string): ProblemFacts => ({ status: 409, code: 'api_keys_full', detail })

const tooMany = {
  holder: fullBy(
    `You already have ${maxApiKeys.ofHolder} API keys. Revoke one that you no longer use: DELETE /api-keys/:id.`,
  ),
  origin: fullBy('Your address has reached its share of API keys. Revoke one: DELETE /api-keys/:id.'),
  all: fullBy("The oracle's store of API keys is full. Ask the operator."),
}

const notFound: ProblemFacts = {
  status: 404,
  code: 'api_key_not_found',
  detail: 'You have no API key with this ID. GET /api-keys lists yours.',
}
