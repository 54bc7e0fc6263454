import { isAbility, type SigningKey } from '@sibyl/identity'
import type { Storage } from '@sibyl/storage'
import type { CoreEnv } from '../config/core-env.ts'
import type { Logger } from '../logging/logger.ts'
import type { CoreTables } from '../sessions/core-tables.ts'
import type { Authentication } from './authenticate.ts'
import { type BearerStore, createBearerStore } from './bearer-store.ts'
import { createDelegationStore, type DelegationStore } from './delegation-store.ts'
import { makeAuthentication } from './make-authentication.ts'
import { readApiKeys } from './read-api-keys.ts'
import { createRevocationStore, type RevocationStore } from './revocation-store.ts'

/** What authentication is made from. */
export interface AuthRequest {
  readonly storage: Storage
  readonly env: CoreEnv
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
  /** Forgets what has expired. */
  forgetExpired(now: number): Promise<void>
}

/** What one of `ORACLE_API_KEYS` may do that names no scopes. */
const defaultScopes = ['chat/*', 'session/*']

/** Makes authentication on the app's storage. */
export const makeAuth = ({ env, key, publicDid, now, log, ...request }: AuthRequest): Auth => {
  const storage = request.storage.for<CoreTables>()
  const bearers = createBearerStore(storage)
  const revocations = createRevocationStore(storage)
  const delegations = createDelegationStore(storage, revocations)
  const apiKeys = readApiKeys(
    { ORACLE_API_KEYS: env.ORACLE_API_KEYS },
    'ORACLE_API_KEYS',
    { defaultScopes, isScope: isAbility },
    log,
  )
  return {
    authentication: makeAuthentication({
      key,
      publicDid,
      access: env.ORACLE_ACCESS,
      controllers: env.ORACLE_CONTROLLERS,
      apiKeys,
      bearers,
      revocations,
      now,
    }),
    bearers,
    delegations,
    revocations,
    takesApiKeys: apiKeys.size > 0,
    async forgetExpired(at) {
      await bearers.forgetExpired(at)
      await delegations.forgetExpired(at)
      await revocations.forgetExpired(at)
    },
  }
}
