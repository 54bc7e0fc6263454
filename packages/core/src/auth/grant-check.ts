import { narrowAbilities } from '@sibyl/identity'
import type { Actor, Refusal } from '@sibyl/plugin'
import { type Grant, type GrantVerdict, grantSources } from '@sibyl/plugin/host'
import type { ApiKey } from '../config/api-keys.ts'
import type { RevocationStore } from './revocation-store.ts'

/** Checks whether the grant of a stored actor is still valid. */
export type CheckGrant = (actor: Actor) => Promise<GrantVerdict>

export interface GrantCheckDependencies {
  /** The DIDs that may root a chain now; undefined while access is open. */
  readonly roots: () => readonly string[] | undefined
  /** Returns the current API keys behind a grant that act as this DID. */
  readonly apiKeys: (granted: NonNullable<Grant['apiKey']>, did: string) => readonly ApiKey[]
  /** Returns the current scopes of a stored credential; undefined if it ended. */
  readonly scopesOf: (credential: NonNullable<Grant['credential']>) => Promise<readonly string[] | undefined>
  readonly revocations: Pick<RevocationStore, 'findRevoked'>
  readonly skewSeconds: number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Creates the check of grants. Each call reads the revocations from the database, so that a revocation in one process
 * applies at once in every other. An actor without a grant, such as a phone, is authorized elsewhere and passes.
 */
export const createGrantCheck = (dependencies: GrantCheckDependencies): CheckGrant => {
  const check = checkSource(dependencies)
  return async actor => {
    let verdict: GrantVerdict = { holds: true, actor }
    for (const source of actor.grant ? grantSources(actor.grant) : []) {
      verdict = await check(verdict.actor, source)
      if (!verdict.holds) return verdict
    }
    return verdict
  }
}

const checkSource =
  ({ roots, apiKeys, scopesOf, revocations, skewSeconds, now }: GrantCheckDependencies) =>
  async (actor: Actor, { root, links = [], apiKey, credential }: Grant): Promise<GrantVerdict> => {
    const accepted = roots()
    if (root !== undefined && accepted && !accepted.includes(root)) return ended.rootRemoved
    if (links.some(({ expiresAt }) => (expiresAt + skewSeconds) * 1000 <= now())) return ended.expired
    if (links.length > 0 && (await revocations.findRevoked(links.map(({ hash }) => hash)))) return ended.revoked
    if (credential) {
      const scopes = await scopesOf(credential)
      if (!scopes) return ended.credentialEnded
      return { holds: true, actor: { ...actor, scopes: narrowAbilities(actor.scopes, scopes) } }
    }
    if (!apiKey) return { holds: true, actor }
    const keys = apiKeys(apiKey, actor.did)
    if (keys.length === 0) return ended.keyRemoved
    const scopes = narrowAbilities(
      actor.scopes,
      keys.flatMap(key => key.scopes),
    )
    return { holds: true, actor: { ...actor, scopes } }
  }

const endedBy = (refusal: Pick<Refusal, 'code' | 'detail'>): GrantVerdict => ({
  holds: false,
  refusal: { status: 403, ...refusal },
})

const ended = {
  revoked: endedBy({ code: 'grant_revoked', detail: 'The delegation behind this authorization was revoked.' }),
  expired: endedBy({ code: 'grant_expired', detail: 'The delegation behind this authorization expired.' }),
  rootRemoved: endedBy({
    code: 'grant_removed',
    detail: 'The issuer of this authorization may no longer grant access to this oracle.',
  }),
  credentialEnded: endedBy({
    code: 'grant_removed',
    detail: 'The API key or the sign-in behind this authorization expired or was revoked.',
  }),
  keyRemoved: endedBy({ code: 'grant_removed', detail: 'The API key behind this authorization was removed.' }),
}
