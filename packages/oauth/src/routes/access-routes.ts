import { type Host, holdsAbility, type Route, route } from '@sibyl/plugin'
import { authSchemas, canonicalDid, didText, normalDid } from '@sibyl/protocol'
import { z } from 'zod'
import { addressOf } from '../page/client-facts.ts'
import { consoleClientId } from '../provider/provider-names.ts'
import { usualScopes } from '../provider/scopes.ts'
import { codeRecord } from '../records/code-record.ts'
import { signInErrors } from '../sign-in/sign-in-errors.ts'
import type { CodeStore } from '../tables/code-store.ts'
import type { OauthTables } from '../tables/oauth-tables.ts'
import { type SignIn, type SignInStore, signInSource } from '../tables/sign-in-store.ts'

const ability = z
  .string()
  .max(200)
  .regex(/^(\*|[\w.-]+(\/[\w.-]+)*\/(\*|[\w.-]+))$/, 'not an ability such as chat/send')

const signInQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .meta({ description: 'For the operator: maximum entries of the page' }),
  after: z.string().max(100).optional().meta({ description: 'For the operator: the last `id` of the previous page' }),
  did: didText.overwrite(normalDid).optional().meta({ description: 'For the operator: only those of this DID' }),
  rights: z
    .literal('operator')
    .optional()
    .meta({ description: 'For the operator: only those with abilities of the operator' }),
})

/** Scopes of codes that name none: those of clients, and the right of users to their own data. */
const codeScopes = [...usualScopes, 'me/export', 'me/erase']

const codeRequest = z
  .strictObject({
    /** The DID that the user acts as. */
    did: canonicalDid.optional(),
    /** Instead of a DID: the name of a user, who gets the same DID each time. */
    name: z.string().trim().min(1).max(100).optional(),
    scopes: z
      .array(ability)
      .min(1)
      .max(64)
      .optional()
      .meta({ description: `By default those of ${codeScopes.join(', ')} that the creator has` }),
    minutes: z.int().min(1).max(60).default(10),
  })
  .refine(({ did, name }) => (did === undefined) !== (name === undefined), 'give either did or name')

/** Returns the routes for the applications of a user, and for one-time codes of the operator. */
export const accessRoutes = (
  host: Host<unknown, OauthTables>,
  signIns: SignInStore,
  codes: CodeStore,
  now: () => number,
): Route[] => [
  route.get(
    '/oauth/sign-ins',
    {
      auth: { ucan: 'sign-in/read', orOperator: true },
      summary: 'Lists the applications that act for you; as the operator, those of all users',
      description: 'Those of all users are ordered by ID, in pages; the next page is after the last ID of this one.',
      query: signInQuery,
      ok: authSchemas.signInList,
    },
    async c => {
      const actor = c.get('actor')
      const ofRequest = actor.grant?.credential?.source === signInSource ? actor.grant.credential.id : undefined
      const recordOf = (signIn: SignIn) => ({
        ...signInRecordOf(signIn),
        ...(signIn.id === ofRequest && { current: true as const }),
      })
      if (actor.via !== 'operator') return c.json({ signIns: (await signIns.list(actor.did)).map(recordOf) })
      const { rights, ...request } = c.req.valid('query')
      const all = await signIns.listAll({ ...request, ofOperator: rights !== undefined })
      return c.json({ signIns: all.map(signIn => ({ ...recordOf(signIn), did: signIn.did })) })
    },
  ),
  route.delete(
    '/oauth/sign-ins/{id}',
    {
      auth: { ucan: 'sign-in/delete', orOperator: true },
      summary: 'Ends the access of an application, with all its tokens',
      params: z.object({ id: z.string().max(100) }),
      ok: { 204: { description: 'Ended' } },
      errors: [signInErrors.sign_in_not_found],
    },
    async c => {
      const { via, did } = c.get('actor')
      const ended = await signIns.end(c.req.valid('param').id, via === 'operator' ? undefined : did)
      if (!ended) throw signInErrors.sign_in_not_found()
      return c.body(null, 204)
    },
  ),
  route.post(
    '/oauth/codes',
    {
      auth: 'operator',
      summary: 'Creates a one-time code with which a user signs in without a key',
      body: codeRequest,
      description:
        'Its scopes are at most those of its creator, and the sign-in ends with the authorization of its creator.',
      ok: { 201: { description: 'The code', schema: codeRecord } },
      errors: [signInErrors.code_scope_not_held, signInErrors.code_did_of_oracle],
    },
    async c => {
      const { did: given, name, minutes, ...wanted } = c.req.valid('json')
      const { did: own, scopes: held, grant } = c.get('actor')
      const grantable = codeScopes.filter(scope => holdsAbility(held, scope))
      const scopes = wanted.scopes ?? (grantable.length > 0 ? grantable : [...usualScopes])
      const excess = scopes.find(scope => !holdsAbility(held, scope))
      if (excess !== undefined) throw signInErrors.code_scope_not_held({ scope: excess })
      const did = given ?? host.identity.pairwiseDid('sign-in', name ?? '')
      // Plugins trust these DIDs: a delegated operator would get more than was delegated.
      if (grant && host.access.isTrusted(did) && did !== own) throw signInErrors.code_did_of_oracle()
      const expiresAt = now() + minutes * 60_000
      const code = await codes.create({ did, name, scopes, expiresAt, grant })
      return c.json({ code, did, scopes, expiresAt: new Date(expiresAt).toISOString() }, 201, {
        'cache-control': 'no-store',
      })
    },
  ),
]

const signInRecordOf = ({
  id,
  client,
  clientName,
  redirectUri,
  device,
  resource,
  scopes,
  ...times
}: SignIn): z.infer<typeof authSchemas.signInList>['signIns'][number] => ({
  id,
  client,
  clientName,
  nameVerified: client === consoleClientId,
  application: addressOf(client, redirectUri ?? client),
  ...(device === undefined ? {} : { device }),
  resource,
  scopes: [...scopes],
  createdAt: new Date(times.createdAt).toISOString(),
  expiresAt: new Date(times.expiresAt).toISOString(),
  usedAt: new Date(times.usedAt).toISOString(),
})
