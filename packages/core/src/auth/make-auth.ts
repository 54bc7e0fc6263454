import { derivePairwiseKey, isAbility, type SigningKey } from '@sibyl/identity'
import type { Actor, Logger } from '@sibyl/plugin'
import { type CredentialSource, grantSources } from '@sibyl/plugin/host'
import { sameDid } from '@sibyl/protocol'
import { deleteInParts, type RowsToChange, type Storage, sql } from '@sibyl/storage'
import type { SqlBool } from 'kysely'
import type { ApiKeyList } from '../config/api-keys.ts'
import type { CoreEnv } from '../config/core-env.ts'
import type { Environment } from '../config/environment.ts'
import { readApiKeys } from '../config/read-api-keys.ts'
import type { AuthTables } from '../database/auth-tables.ts'
import type { CoreTables } from '../database/core-tables.ts'
import type { OperatorAccess } from '../records/operator-access.ts'
import { createApiKeyStore } from './api-key-store.ts'
import { createBearerStore } from './bearer-store.ts'
import { createDelegationStore } from './delegation-store.ts'
import { createGrantCheck } from './grant-check.ts'
import { createGrantStore } from './grant-store.ts'
import { apiKeyActors, apiKeyDids, apiKeyVariable, makeAuthentication, skewSeconds } from './make-authentication.ts'
import type { OracleAddress } from './oracle-address.ts'
import { createRevocationStore, revocationMarginMs } from './revocation-store.ts'

export interface AuthRequest {
  readonly storage: Storage
  readonly env: CoreEnv
  /** The variables of plugins, with their lists of API keys. */
  readonly environment: Environment
  /** Undefined without a signing mnemonic. */
  readonly key: SigningKey | undefined
  readonly address: OracleAddress
  readonly now: () => number
  readonly log: Logger
}

/** The scopes of keys without any: of `ORACLE_API_KEYS`, and of the variables of plugins. */
export const defaultScopes = { oracle: ['chat/*', 'session/*'], plugin: ['read', 'write'] } as const

/** Creates authentication on the storage of the app. */
export const makeAuth = ({ env, environment, key, address, now, log, ...request }: AuthRequest) => {
  const storage = request.storage.for<CoreTables>()
  const bearers = createBearerStore(storage)
  const revocations = createRevocationStore(storage)
  const delegations = createDelegationStore(storage, revocations)
  const grants = createGrantStore(storage, revocations)
  const storedKeys = createApiKeyStore(storage, now)
  const credentials: CredentialSource[] = [storedKeys]
  const apiKeys = readApiKeys(
    { ORACLE_API_KEYS: env.ORACLE_API_KEYS },
    apiKeyVariable,
    { defaultScopes: defaultScopes.oracle, isScope: isAbility },
    log,
  )
  const apiKeyLists = new Map([[apiKeyVariable, apiKeys]])
  const apiKeysOf = (variable: string): ApiKeyList => {
    const list =
      apiKeyLists.get(variable) ?? readApiKeys(environment, variable, { defaultScopes: defaultScopes.plugin }, log)
    apiKeyLists.set(variable, list)
    return list
  }
  const apiKeyDid = apiKeyDids(key)
  /** Returns the user whom a server with a key named, if the operator trusts it to. */
  const forwardedUser = (name: string, user: string) =>
    key && env.ORACLE_USER_FORWARDERS.includes(name)
      ? { did: derivePairwiseKey(key, 'forwarded-user', JSON.stringify([name, user])).did, user }
      : undefined
  /** Returns the DID of a key without one. */
  const ownDidOf = (variable: string, name: string): string | undefined =>
    variable === apiKeyVariable ? apiKeyDid(name) : (key?.did ?? address.did)
  const checkGrant = createGrantCheck({
    roots: () => (env.ORACLE_ACCESS === 'open' ? undefined : [...(key ? [key.did] : []), ...env.ORACLE_CONTROLLERS]),
    apiKeys({ variable, name, user }, did) {
      const keys = apiKeysOf(variable).named(name)
      if (user !== undefined) return forwardedUser(name, user)?.did === did ? keys : []
      return keys.filter(one => (one.did ?? ownDidOf(variable, name) ?? did) === did)
    },
    scopesOf: async ({ source, id }) => credentials.find(({ name }) => name === source)?.scopesOf(id),
    revocations,
    skewSeconds,
    now,
  })
  const isTrusted = (did: string): boolean =>
    [key?.did ?? '', address.did, ...env.ORACLE_CONTROLLERS].some(one => sameDid(one, did))
  return {
    /** Called for each request: the public DID is known once the oracle listens. */
    authentication: makeAuthentication({
      ...{ key, address, bearers, credentials, checkGrant, revocations, now },
      access: env.ORACLE_ACCESS,
      controllers: env.ORACLE_CONTROLLERS,
      apiKeyActor: key ? apiKeyActors(apiKeys, apiKeyDid, forwardedUser) : () => undefined,
    }),
    bearers,
    delegations,
    revocations,
    /** Recorded delegations of access to the oracle. */
    grants,
    storedKeys,
    /** Returns the DID of a stored API key of the operator without one; undefined without a signing mnemonic. */
    storedKeyDid: (id: string): string | undefined => key && derivePairwiseKey(key, 'stored-api-key', id).did,
    /** Stored API keys, and the credentials of plugins. */
    credentials,
    /** Adds the credentials of a plugin. */
    addCredentials: (source: CredentialSource): void => void credentials.push(source),
    /** Returns the keys of `ORACLE_API_KEYS`, without their secrets. */
    apiKeys: (): OperatorAccess['apiKeys'] =>
      apiKeys.keys.map(({ name, scopes, did = apiKeyDid(name) }) => ({
        name,
        scopes: [...scopes],
        did,
      })),
    /** Whether any of `ORACLE_API_KEYS` is usable. */
    takesApiKeys: apiKeys.size > 0,
    apiKeysOf,
    /** Returns whether a DID, in any form, is the oracle or one of its controllers. */
    isTrusted,
    checkGrant,
    /** Returns whether the operator granted the rights of an actor: no part of the grant has another root. */
    isOperatorGrant({ grant }: Actor): boolean {
      const sources = grant ? grantSources(grant) : []
      const isRooted = sources.some(
        ({ root, apiKey, credential }) =>
          (root !== undefined && isTrusted(root)) ||
          apiKey?.variable === apiKeyVariable ||
          credential?.byOperator === true,
      )
      return isRooted && sources.every(({ root }) => root === undefined || isTrusted(root))
    },
    /** Deletes expired rows. */
    async forgetExpired(at: number, signal?: AbortSignal): Promise<void> {
      const forget = <Table extends keyof AuthTables>(
        table: Table,
        key: RowsToChange<CoreTables, Table>['key'],
        before = at,
      ) => deleteInParts(storage, { table, key, where: () => sql<SqlBool>`expires_at <= ${before}`, signal })
      await forget('core_bearers', ['hash'])
      await forget('core_bearer_links', ['link', 'bearer'])
      await forget('core_delegations', ['did', 'hash'])
      await forget('core_revocations', ['hash'], at - revocationMarginMs)
      await forget('core_grants', ['hash'])
      await forget('core_api_keys', ['hash'])
    },
  }
}

/** Authentication of callers, and their delegations to the oracle. */
export type Auth = ReturnType<typeof makeAuth>
