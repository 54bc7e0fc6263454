import { isAbility, type SigningKey } from '@sibyl/identity'
import type { Logger } from '@sibyl/plugin'
import type { Storage } from '@sibyl/storage'
import type { ApiKeyList } from '../config/api-keys.ts'
import type { CoreEnv } from '../config/core-env.ts'
import type { Environment } from '../config/environment.ts'
import { readApiKeys } from '../config/read-api-keys.ts'
import type { CoreTables } from '../database/core-tables.ts'
import type { Authentication } from './authenticate.ts'
import { type BearerStore, createBearerStore } from './bearer-store.ts'
import { createDelegationStore, type DelegationStore } from './delegation-store.ts'
import { type CheckGrant, createGrantCheck } from './grant-check.ts'
import { apiKeyDids, apiKeyVariable, makeAuthentication, skewSeconds } from './make-authentication.ts'
import { createRevocationStore, type RevocationStore } from './revocation-store.ts'

/** What authentication is made from. */
export interface AuthRequest {
  readonly storage: Storage
  readonly env: CoreEnv
  /** The variables of plugins, with their lists of API keys. */
  readonly environment: Environment
  /** Undefined while no signing mnemonic is loaded. */
  readonly key: SigningKey | undefined
  readonly publicDid: () => string
  readonly now: () => number
  readonly log: Logger
}

/** Everything that tells who calls, and what they let the oracle do. */
export interface Auth {
  /** Asked at each request: the public DID is known once the oracle listens. */
  readonly authentication: () => Authentication
  readonly bearers: BearerStore
  readonly delegations: DelegationStore
  readonly revocations: RevocationStore
  /** Whether any of `ORACLE_API_KEYS` can be presented. */
  readonly takesApiKeys: boolean
  /** The API keys that a variable lists. */
  readonly apiKeysOf: (variable: string) => ApiKeyList
  readonly checkGrant: CheckGrant
  /** Checks whether a DID is the oracle or one of its controllers. */
  readonly isTrusted: (did: string) => boolean
  /** Forgets what has expired. */
  forgetExpired(now: number, signal?: AbortSignal): Promise<void>
}

/** The scopes of keys that name none: of `ORACLE_API_KEYS`, and of plugins' variables. */
const defaultScopes = { oracle: ['chat/*', 'session/*'], plugin: ['read', 'write'] } as const

/** Makes authentication on the app's storage. */
export const makeAuth = ({ env, environment, key, publicDid, now, log, ...request }: AuthRequest): Auth => {
  const storage = request.storage.for<CoreTables>()
  const bearers = createBearerStore(storage)
  const revocations = createRevocationStore(storage)
  const delegations = createDelegationStore(storage, revocations)
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
  /** The DID that a key acts as where its entry names none. */
  const ownDidOf = (variable: string, name: string): string | undefined =>
    variable === apiKeyVariable ? apiKeyDid(name) : (key?.did ?? publicDid())
  return {
    authentication: makeAuthentication({
      key,
      publicDid,
      access: env.ORACLE_ACCESS,
      controllers: env.ORACLE_CONTROLLERS,
      apiKeys,
      apiKeyDid,
      bearers,
      revocations,
      now,
    }),
    bearers,
    delegations,
    revocations,
    takesApiKeys: apiKeys.size > 0,
    apiKeysOf,
    isTrusted: did => did === key?.did || env.ORACLE_CONTROLLERS.includes(did),
    checkGrant: createGrantCheck({
      roots: () => (env.ORACLE_ACCESS === 'open' ? undefined : [...(key ? [key.did] : []), ...env.ORACLE_CONTROLLERS]),
      apiKeys: (variable, name, did) =>
        apiKeysOf(variable)
          .named(name)
          .filter(one => (one.did ?? ownDidOf(variable, name) ?? did) === did),
      revocations,
      skewSeconds,
      now,
    }),
    async forgetExpired(at, signal) {
      await bearers.forgetExpired(at, signal)
      await delegations.forgetExpired(at, signal)
      await revocations.forgetExpired(at, signal)
    },
  }
}
