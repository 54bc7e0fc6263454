import { createSigningKey, mintInvocation, type SigningKey } from '@sibyl/identity'
import { type DelegatedActor, delegatedActor, type TestActor, testActor } from '@sibyl/testing'
import type { RightsOracle } from './rights-oracle.ts'
import type { Situation } from './situations.ts'

/** The states of a right that are tried on all channels. */
export const rightStates = ['granted', 'narrowed', 'revoked', 'expired'] as const

/** State of a right when tools are called: as granted, narrower than its source, or ended meanwhile. */
export type RightState = (typeof rightStates)[number]

/** A user with credentials that hold a situation. */
export interface Caller {
  /** Form of the right: `invocation`, `delegation`, `further delegation`, `bearer`, `API key`. */
  readonly kind: string
  readonly request: TestActor['request']
  /** The same DID in its own right. */
  readonly self: TestActor
  /** Ends the right, where the state is one that ends. */
  end?(): Promise<void>
}

/** Options of `makeCaller`. */
export interface CallerOptions {
  readonly situation: Situation
  readonly state: RightState
  /** Which of two kinds of credentials. */
  readonly variant: number
  /** The caller acts as the holder of this key, by a delegation that says so. */
  readonly as?: SigningKey | undefined
}

/** Of a delegation that expires, in seconds, and the jump of the clock that ends it, in milliseconds. */
const lifetimeSeconds = 600
const jumpMs = 700_000

const impersonation = 'auth/impersonate'

/** Makes a caller who holds the abilities of a situation, and whose right is in a state. */
export const makeCaller = async (oracle: RightsOracle, options: CallerOptions): Promise<Caller> => {
  const { app, clock } = oracle
  const { situation, state, variant, as: root } = options
  const now = () => clock.now()
  if (state === 'granted' && variant === 0) {
    const self = testActor(app, now, root)
    return { kind: 'invocation', self, request: (path, init) => self.request(path, { ...init, abilities: situation }) }
  }
  const more = root ? [impersonation] : []
  const grantor = { key: root ?? createSigningKey() }
  const delegate = (from: Parameters<typeof delegatedActor>[1], abilities: readonly string[]) =>
    delegatedActor(app, from, {
      now,
      abilities: [...abilities, ...more],
      ...(state === 'expired' ? { lifetimeSeconds } : {}),
    })
  const wide = state === 'narrowed' || variant === 1
  const first = await delegate(grantor, wide ? ['*'] : situation)
  const further = state === 'narrowed' && variant === 0
  const holder = further ? await delegate(first, situation) : first
  const end = {
    granted: undefined,
    narrowed: undefined,
    revoked: async () => void (await first.revoke()),
    expired: async () => clock.move(jumpMs),
  }[state]
  const common = { self: testActor(app, now, root ?? holder.key), ...(end && { end }) }
  if (further) return { kind: 'further delegation', ...common, request: holder.request }
  if (!wide) {
    const request = state === 'expired' ? longInvocations(oracle, holder, [...situation, ...more]) : holder.request
    return { kind: 'delegation', ...common, request }
  }
  return { kind: 'bearer', ...common, request: withToken(app, await bearerOf(first, situation)) }
}

/**
 * Requests with invocations that outlive the delegation of their holder, so that the delegation alone is expired: no honest
 * client mints one with a delegation that has expired.
 */
const longInvocations = (
  { app, clock }: RightsOracle,
  { key, proofs }: DelegatedActor,
  abilities: readonly string[],
): TestActor['request'] => {
  const mintedAt = clock.now()
  const audience = app.identity.did!
  return async (path, init) => {
    const request = { key, audience, resource: `oracle:${audience}`, abilities, proofs, lifetimeSeconds: 900 }
    return withToken(app, await mintInvocation({ ...request, now: () => mintedAt }))(path, init)
  }
}

const bearerOf = async (holder: TestActor, scopes: Situation): Promise<string> => {
  const answer = await holder.request('/auth/token', { json: { scopes } })
  const { token } = (await answer.json()) as { readonly token?: string }
  if (token === undefined) throw new Error(`No bearer was given: ${answer.status}.`)
  return token
}

/** Makes the `request` of the holder of a bearer or an API key. */
export const withToken =
  (app: RightsOracle['app'], token: string): TestActor['request'] =>
  async (path, { json, abilities: _, ...init } = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    if (json === undefined) return app.request(path, { ...init, headers })
    headers.set('content-type', 'application/json')
    return app.request(path, { ...init, method: init.method ?? 'POST', headers, body: JSON.stringify(json) })
  }
