import { createHash, timingSafeEqual } from 'node:crypto'
import type { Actor } from '@sibyl/plugin'
import type { Access } from '@sibyl/plugin/host'
import type { RestoreWatch } from '@sibyl/storage'
import {
  type Authentication,
  authenticate,
  bearerToken,
  type Presented,
  type Unauthenticated,
} from '../auth/authenticate.ts'
import type { ReplayGuard } from '../auth/revocation-store.ts'
import type { ApiKeyList } from '../config/api-keys.ts'
import type { RequestCheck } from './core-environment.ts'
import { type ProblemFacts, problemResponse } from './problem-response.ts'

/** Dependencies of the access checks of routes. */
export interface AccessParts {
  /** Called for each request: the public DID is known once the oracle listens. */
  readonly authentication: () => Authentication
  readonly replayGuard: ReplayGuard
  /** When the database was last restored, in milliseconds since 1970. */
  readonly restores: Pick<RestoreWatch, 'restoredAt'>
  readonly operatorToken: string | undefined
  /** Returns whether the operator granted the rights of an actor. */
  readonly isOperatorGrant: (actor: Actor) => boolean
  /** The DID of the oracle, for requests without a caller. */
  readonly oracleDid: string
  /** Returns the keys of a variable such as `ENTITIES_API_KEYS`. */
  readonly apiKeys: (variable: string) => ApiKeyList
  /** Returns parameters of the challenge at a path, such as `resource_metadata="…"`, if any. */
  readonly challenge: (path: string) => string | undefined
}

/**
 * Creates the access check of one route. It answers rejected requests; accepted ones have `actor` in their context.
 *
 * @param spendsNonce The route spends the invocation itself, together with its writes.
 * @param readsOnly The operator needs `operator/read` alone, whatever the method.
 */
export const lock = (
  access: Access,
  parts: AccessParts,
  { spendsNonce = false, readsOnly = false } = {},
): RequestCheck | undefined => {
  if (access === 'public' || access === 'own') return undefined
  if (access === 'operator') return operatorLock(parts, readsOnly)
  if ('ucan' in access) {
    const byUcan = ucanLock(access, parts, spendsNonce)
    return access.orOperator ? operatorOr(byUcan, parts) : byUcan
  }
  return apiKeyLock(access, parts)
}

/** The header in which Open WebUI names its user. */
const forwardedUserHeader = 'x-openwebui-user-id'

/**
 * Reads the credential of a request.
 *
 * @param keyHeaders Whether clients of Azure and of Anthropic may send their key in a header of its own.
 */
export const presentedBy = (
  { req }: { readonly req: { header(name: string): string | undefined } },
  keyHeaders: boolean,
): Presented => {
  const header = req.header('authorization')
  const key = keyHeaders ? (req.header('api-key') ?? req.header('x-api-key')) : undefined
  const named = req.header(forwardedUserHeader)
  return {
    token: bearerToken(header ?? (key === undefined ? undefined : `Bearer ${key}`)),
    user: named ? createHash('sha256').update(named).digest('base64url') : undefined,
  }
}

const ucanLock =
  (
    { ucan: ability, keyHeaders }: { readonly ucan: string; readonly keyHeaders?: true },
    parts: AccessParts,
    spendsNonce: boolean,
    form: (verdict: Unauthenticated, path: string) => ProblemFacts = (verdict, path) =>
      refusal(verdict, parts.challenge(path)),
  ): RequestCheck =>
  async c => {
    const reject = (verdict: Unauthenticated) => problemResponse(c, form(verdict, c.req.path))
    const presented = presentedBy(c, keyHeaders === true)
    const verdict = await authenticate(presented, ability, parts.authentication(), c.req.path)
    if ('status' in verdict) return reject(verdict)
    c.set('actor', verdict.actor)
    const { invocation } = verdict
    if (!invocation) return undefined
    const isSpent = spendsNonce || (c.req.method !== 'GET' && c.req.method !== 'HEAD')
    const { restoredAt } = parts.restores
    if (isSpent && restoredAt !== undefined && invocation.acceptableFrom < restoredAt) {
      return reject(beforeRestore)
    }
    if (spendsNonce) c.set('invocation', invocation)
    else if (isSpent && !(await parts.replayGuard.spend(invocation.nonce))) {
      return reject(replayed)
    }
    return undefined
  }

/** An invocation that was used before. */
export const replayed: Unauthenticated = {
  status: 401,
  code: 'ucan_replayed',
  title: 'The invocation was rejected',
  detail: 'This invocation was used before. Mint a new one for each request.',
}

/** An invocation that may have been spent before a restored backup, which has no record of it. */
const beforeRestore: Unauthenticated = {
  status: 401,
  code: 'ucan_before_restore',
  title: 'The invocation was rejected',
  detail:
    "The oracle's database was restored from a backup, and this invocation may have been used before. Mint a new one with nbf. For up to two minutes after the restore, clients that backdate nbf are rejected too: retry later.",
}

/**
 * Returns the response of a rejected caller, with the challenge of a 401 (RFC 6750).
 *
 * @param parameters Further parameters of the challenge; with them, a missing scope is a challenge too.
 */
export const refusal = (verdict: Unauthenticated, parameters?: string): ProblemFacts => ({
  ...verdict,
  headers: challengeOf(verdict, parameters),
})

const challengeOf = (
  { status, code, scope }: Pick<Unauthenticated, 'status' | 'code' | 'scope'>,
  parameters?: string,
): Record<string, string> => {
  const error =
    status === 401
      ? code === 'ucan_missing'
        ? []
        : ['error="invalid_token"']
      : scope !== undefined && parameters !== undefined
        ? ['error="insufficient_scope"', `scope="${scope}"`]
        : undefined
  if (!error) return {}
  const all = ['realm="sibyl"', ...error, ...(parameters === undefined ? [] : [parameters])]
  return { 'www-authenticate': `Bearer ${all.join(', ')}` }
}

/** The abilities of the operator. `*` does not cover them. */
const operatorAbility = { read: 'operator/read', write: 'operator/write' } as const

/** Accepts the operator token, and callers to whom the operator granted the ability for this method. */
const operatorLock = (parts: AccessParts, readsOnly = false): RequestCheck => {
  const { operatorToken, isOperatorGrant } = parts
  const byAbility = (ability: string) =>
    ucanLock({ ucan: ability }, parts, false, verdict =>
      refusal(withoutCredential.has(verdict.code) ? tokenNeeded(ability, operatorToken) : verdict),
    )
  const [toRead, toWrite] = [byAbility(operatorAbility.read), byAbility(operatorAbility.write)]
  return async c => {
    if (isOperator(c.req.header('authorization'), operatorToken)) {
      c.set('actor', operatorOf(parts))
      return undefined
    }
    const isRead = readsOnly || c.req.method === 'GET' || c.req.method === 'HEAD'
    const rejected = await (isRead ? toRead : toWrite)(c)
    const actor = c.get('actor')
    if (rejected || actor === undefined) return rejected
    if (!isOperatorGrant(actor)) return problemResponse(c, refusal(notOfOperator))
    c.set('actor', { ...actor, via: 'operator' })
    return undefined
  }
}

/** Codes of requests without a credential of this oracle: the operator token may have been meant. */
const withoutCredential: ReadonlySet<string> = new Set(['ucan_missing', 'credential_unknown', 'signing_key_missing'])

const tokenNeeded = (ability: string, operatorToken: string | undefined): Unauthenticated => ({
  status: 401,
  code: 'operator_token_needed',
  title: 'Restricted to the operator',
  detail: operatorToken
    ? `Send the operator token (Authorization: Bearer <ORACLE_OPERATOR_TOKEN>), or a credential with ${ability}.`
    : `No operator token is set. Set ORACLE_OPERATOR_TOKEN, or send a credential with ${ability}.`,
})

/** Accepts the operator too: with the token, or with `as=operator` in the query and its abilities. */
const operatorOr = (otherwise: RequestCheck, parts: AccessParts): RequestCheck => {
  const asOperator = operatorLock(parts)
  return c => {
    if (c.req.query('as') === 'operator') return asOperator(c)
    if (!isOperator(c.req.header('authorization'), parts.operatorToken)) return otherwise(c)
    c.set('actor', operatorOf(parts))
    return undefined
  }
}

const operatorOf = ({ oracleDid }: AccessParts): Actor => ({
  did: oracleDid,
  via: 'operator',
  scopes: ['*', 'operator/*'],
})

/** A caller that gave the abilities of the operator to itself, as any signer can with `ORACLE_ACCESS=open`. */
const notOfOperator: Unauthenticated = {
  status: 403,
  code: 'operator_grant_needed',
  title: 'Restricted to the operator',
  detail:
    'The operator did not grant these abilities. Use a delegation of the oracle or of one of ORACLE_CONTROLLERS, or a one-time code of the operator.',
}

const isOperator = (header: string | undefined, operatorToken: string | undefined): boolean => {
  const presented = bearerToken(header)
  return operatorToken !== undefined && presented !== undefined && sameText(presented, operatorToken)
}

const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

const apiKeyLock = (
  access: { readonly apiKey: string; readonly orUcan?: string },
  parts: AccessParts,
): RequestCheck => {
  const keys = parts.apiKeys(access.apiKey)
  const orUcan = access.orUcan === undefined ? undefined : ucanLock({ ucan: access.orUcan }, parts, false)
  return c => {
    const presented = bearerToken(c.req.header('authorization'))
    const key = presented === undefined ? undefined : keys.find(presented)
    if (key) {
      const grant = { apiKey: { variable: access.apiKey, name: key.name } }
      c.set('actor', { did: key.did ?? parts.oracleDid, via: 'api-key', scopes: key.scopes, grant })
      return undefined
    }
    if (orUcan && presented !== undefined) return orUcan(c)
    return problemResponse(c, {
      status: 401,
      code: 'api_key_needed',
      title: 'An API key is required',
      detail: `Send a key of ${access.apiKey}: Authorization: Bearer <key>.${orUcan ? ` A UCAN invocation with the ability ${access.orUcan} is also accepted.` : ''}`,
      headers: challengeOf({ status: 401, code: 'ucan_missing' }, orUcan && parts.challenge(c.req.path)),
    })
  }
}
