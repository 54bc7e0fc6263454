import { type Actor, abilityCovers, type HostAccess, type HostIdentity } from '@sibyl/plugin'
import type { EntityDirectory } from '@sibyl/protocol'
import { credentialsErrors } from '../definitions/credentials-errors.ts'

/** What may be done with credentials. */
export type CredentialAbility = 'credentials/issue' | 'credentials/revoke' | 'credentials/read'

export type CredentialRights = ReturnType<typeof createCredentialRights>

/** The scopes of keys of `ENTITIES_API_KEYS` that go with the abilities, for keys that act as the oracle. */
const keyScopes: Readonly<Record<CredentialAbility, string>> = {
  'credentials/issue': 'write',
  'credentials/revoke': 'write',
  'credentials/read': 'read',
}

/**
 * Makes the rights. Nobody has one by being somebody: with `ORACLE_ACCESS=open` everybody gives himself what abilities he
 * likes, so that these alone prove nothing. A UCAN or a bearer needs the ability, and it takes the oracle itself or one of its
 * controllers, or, with `delegated`, a right that one of them gave. An API key needs scopes that the operator wrote down.
 */
export const createCredentialRights = ({
  access,
  identity,
  directory,
}: {
  readonly access: HostAccess
  readonly identity: Pick<HostIdentity, 'did' | 'publicDid'>
  readonly directory: Pick<EntityDirectory, 'find'> | undefined
}) => {
  const isOracle = (did: string) => did === identity.did || did === identity.publicDid
  const isOwn = (did: string) => isOracle(did) || access.controllers.includes(did)
  /** Returns whether the actor may do it with any credential. */
  const mayAlways = ({ did, via, scopes }: Actor, ability: CredentialAbility): boolean => {
    const covered = scopes.some(scope => abilityCovers(scope, ability))
    switch (via) {
      case 'operator':
        return true
      case 'api-key':
        return covered || (isOwn(did) && scopes.includes(keyScopes[ability]))
      case 'ucan':
      case 'bearer':
        return covered && (isOwn(did) || access.mode === 'delegated')
      default:
        return false
    }
  }
  return {
    mayAlways,
    /** @throws `issuer_not_allowed` */
    demand(actor: Actor | undefined, ability: CredentialAbility): Actor {
      if (!actor || !mayAlways(actor, ability)) throw credentialsErrors.issuer_not_allowed()
      return actor
    },
    /** Returns whether the actor is whom a credential is about, or controls the entity that it is about. */
    async isHolder(actor: Actor, subject: string): Promise<boolean> {
      if (actor.via === 'api-key' && !actor.scopes.includes('read')) return false
      if (actor.did === subject) return true
      const entity = (await directory?.find([subject]))?.get(subject)
      if (!entity) return false
      return entity.controller === actor.did || (isOracle(entity.controller) && isOracle(actor.did))
    },
    /** Returns the DID under which a subject is registered, where it is one of this oracle's entities. */
    subjectOf: async (did: string): Promise<string> => (await directory?.find([did]))?.get(did)?.did ?? did,
    /** Returns the DID that an actor is stored under: the oracle's did:key is its did:web. */
    nameOf: ({ did }: Actor): string => (isOracle(did) ? identity.publicDid : did),
  }
}

/** Who gets to a handler; who may do more than ask is the handler's to say. */
export const credentialsAccess = (ability: CredentialAbility) =>
  ({ apiKey: 'ENTITIES_API_KEYS', orUcan: ability }) as const
