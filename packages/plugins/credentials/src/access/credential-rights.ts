import { type Actor, abilityCovers, type Host } from '@sibyl/plugin'
import { type entityDirectory, type ServiceOf, sameDid } from '@sibyl/protocol'
import { credentialsErrors } from '../definitions/credentials-errors.ts'

export type CredentialAbility = 'credentials/issue' | 'credentials/revoke' | 'credentials/read'

export type CredentialRights = ReturnType<typeof createCredentialRights>

/** Scopes of `ENTITIES_API_KEYS` keys that correspond to the abilities, for keys that act as the oracle. */
const keyScopes: Readonly<Record<CredentialAbility, string>> = {
  'credentials/issue': 'write',
  'credentials/revoke': 'write',
  'credentials/read': 'read',
}

/**
 * Creates the checks of rights. With `ORACLE_ACCESS=open` callers choose their own abilities, so these alone prove
 * nothing. A UCAN or bearer needs the ability, and must come from the oracle, one of its controllers, an operator who signed in,
 * or, with `delegated`, a delegate of one of them. An API key needs scopes that the operator granted.
 */
export const createCredentialRights = ({
  access,
  grants,
  identity,
  directory,
}: {
  readonly grants: Pick<Host['grants'], 'isOfOperator'>
  readonly access: Pick<Host['access'], 'mode' | 'isTrusted'>
  readonly identity: Pick<Host['identity'], 'did' | 'publicDid'>
  readonly directory: Pick<ServiceOf<typeof entityDirectory>, 'find'> | undefined
}) => {
  const isOracle = (did: string) => did === identity.did || sameDid(did, identity.publicDid)
  /** An operator who signed in: callers choose `operator/write` themselves, but the operator granted it. */
  const isOperator = (actor: Actor) =>
    actor.scopes.some(scope => abilityCovers(scope, 'operator/write')) && grants.isOfOperator(actor)
  const mayAlways = (actor: Actor, ability: CredentialAbility): boolean => {
    const { did, via, scopes } = actor
    const covered = scopes.some(scope => abilityCovers(scope, ability))
    switch (via) {
      case 'operator':
        return true
      case 'api-key':
        return covered || (access.isTrusted(did) && scopes.includes(keyScopes[ability]))
      case 'ucan':
      case 'bearer':
        return covered && (access.isTrusted(did) || access.mode === 'delegated' || isOperator(actor))
      default:
        return false
    }
  }
  /** Returns whether the actor is the subject, controls the entity that is the subject, or may read all entities. */
  const mayReadOf = async (actor: Actor, subject: string): Promise<boolean> => {
    if (actor.via === 'api-key' && !actor.scopes.includes('read')) return false
    if (sameDid(actor.did, subject)) return true
    const entity = (await directory?.find([subject]))?.get(subject)
    if (!entity) return false
    if (actor.via === 'api-key' || actor.scopes.some(scope => abilityCovers(scope, 'entities/read'))) return true
    return sameDid(entity.controller, actor.did) || (isOracle(entity.controller) && isOracle(actor.did))
  }
  return {
    mayAlways,
    mayReadOf,
    /** Returns whether the actor may read a credential: all, the one it issued by a decision, or those of a subject. */
    mayRead: async (actor: Actor, { subject, issuedBy }: { readonly subject: string; readonly issuedBy: string }) =>
      mayAlways(actor, 'credentials/read') || sameDid(issuedBy, actor.did) || (await mayReadOf(actor, subject)),
    /** @throws `issuer_not_allowed` */
    demand(actor: Actor | undefined, ability: CredentialAbility): Actor {
      if (!actor || !mayAlways(actor, ability)) throw credentialsErrors.issuer_not_allowed()
      return actor
    },
    /** Returns the registered DID of a subject that is one of this oracle's entities. */
    subjectOf: async (did: string): Promise<string> => (await directory?.find([did]))?.get(did)?.did ?? did,
    /** Returns the DID that an actor is stored under; the oracle's did:key becomes its did:web. */
    nameOf: ({ did }: Actor): string => (isOracle(did) ? identity.publicDid : did),
  }
}

/** Access rule of a route. The handler checks whether the caller may do more than read. */
export const credentialsAccess = (ability: CredentialAbility) =>
  ({ apiKey: 'ENTITIES_API_KEYS', orUcan: ability }) as const
