import { type Actor, abilityCovers, type HostAccess, type HostIdentity } from '@sibyl/plugin'
import type { EntityDirectory } from '@sibyl/protocol'
import { credentialsErrors } from '../credentials-errors.ts'

/** What may be done with credentials. */
export type CredentialAbility = 'credentials/issue' | 'credentials/revoke' | 'credentials/read'

/** Who may do what with the oracle's signature. */
export interface CredentialRights {
  /** Whether the actor may do it with any credential. */
  mayAlways(actor: Actor, ability: CredentialAbility): boolean
  /** @throws IssuerNotAllowed `issuer_not_allowed` (403) */
  demand(actor: Actor | undefined, ability: CredentialAbility): Actor
  /** Whether the actor is whom a credential is about, or controls the entity that it is about. */
  isHolder(actor: Actor, subject: string): Promise<boolean>
  /** The DID under which somebody that credentials are about is registered, where it is one of this oracle's entities. */
  subjectOf(did: string): Promise<string>
  /** The DID that an actor is written down under: the oracle's did:key is its did:web. */
  nameOf(actor: Actor): string
}

export interface RightsParts {
  readonly access: HostAccess
  readonly identity: Pick<HostIdentity, 'did' | 'publicDid'>
  readonly directory: Pick<EntityDirectory, 'find'> | undefined
}

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
export const createCredentialRights = ({ access, identity, directory }: RightsParts): CredentialRights => {
  const isOracle = (did: string) => did === identity.did || did === identity.publicDid
  const isOwn = (did: string) => isOracle(did) || access.controllers.includes(did)
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
    demand(actor, ability) {
      if (!actor || !mayAlways(actor, ability)) throw credentialsErrors.issuer_not_allowed()
      return actor
    },
    async isHolder(actor, subject) {
      if (actor.via === 'api-key' && !actor.scopes.includes('read')) return false
      if (actor.did === subject) return true
      const entity = (await directory?.find([subject]))?.get(subject)
      if (!entity) return false
      return entity.controller === actor.did || (isOracle(entity.controller) && isOracle(actor.did))
    },
    subjectOf: async did => (await directory?.find([did]))?.get(did)?.did ?? did,
    nameOf: ({ did }) => (isOracle(did) ? identity.publicDid : did),
  }
}
