import { createSigningKey, mintInvocation, type SigningKey } from '@sibyl/identity'

/** The target of `testActor`: a booted oracle, or anything that answers requests under a DID. */
export interface TestTarget {
  request(path: string, init?: RequestInit): Promise<Response>
  readonly identity: { readonly did: string | undefined }
}

/** A user with a key, for tests. */
export interface TestActor {
  readonly did: string
  readonly key: SigningKey
  /** A fresh invocation for the target. @param abilities @default ['*'] */
  token(abilities?: readonly string[]): Promise<string>
  /**
   * Calls the target with a fresh invocation; an object as `json` becomes the body.
   *
   * @param init `abilities`: what the invocation holds. @default ['*']
   */
  request(
    path: string,
    init?: RequestInit & { readonly json?: unknown; readonly abilities?: readonly string[] | undefined },
  ): Promise<Response>
}

/**
 * Creates a user for tests; each has its own key, and so its own DID.
 *
 * @param now The clock of invocations, in milliseconds. @default Date.now
 * @param key The key of the user, for one that returns after a restart. @default a new one
 */
export const testActor = (
  target: TestTarget,
  now: () => number = Date.now,
  key: SigningKey = createSigningKey(),
): TestActor => {
  const token = (abilities: readonly string[] = ['*']) => {
    const { did } = target.identity
    if (did === undefined)
      throw new Error('The oracle has no signing key, so no user can call it. Set ORACLE_MNEMONIC.')
    return mintInvocation({ key, audience: did, resource: `oracle:${did}`, abilities, now })
  }
  return { did: key.did, key, token, request: callWith(target, token) }
}

/** Makes the `request` of an actor, with a fresh token for each call. */
export const callWith =
  (target: TestTarget, token: (abilities?: readonly string[]) => Promise<string>): TestActor['request'] =>
  async (path, { json, abilities, ...init } = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${await token(abilities)}`)
    if (json !== undefined) headers.set('content-type', 'application/json')
    const body = json === undefined ? {} : { body: JSON.stringify(json), method: init.method ?? 'POST' }
    return target.request(path, { ...init, ...body, headers })
  }
