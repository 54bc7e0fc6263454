import type { SigningKey } from '@sibyl/identity'
import type { Clock, Host, ShareOf } from '@sibyl/plugin'
import { makeOriginOf, makeShareOf, type OriginOf } from '@sibyl/plugin/host'
import { sameDid } from '@sibyl/protocol'
import { type Jobs, type OpenedJobs, openJobs, type RestoreWatch, type Storage } from '@sibyl/storage'
import { makeTelemetry, type Telemetry, watchJobs } from '@sibyl/telemetry'
import { type Auth, makeAuth } from '../auth/make-auth.ts'
import { type OracleAddress, oracleAddress } from '../auth/oracle-address.ts'
import { hostIdentity } from '../auth/oracle-identity.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { createKeyHistory } from '../did/key-history.ts'
import { makeRateCounter } from '../limits/make-rate-counter.ts'
import type { RateCounter } from '../limits/rate-counter.ts'
import { coreVersion } from './core-version.ts'
import type { OracleAppOptions } from './oracle-app.ts'
import type { Settings } from './read-settings.ts'

/** Maximum keys of the limits of plugins: enough for every phone of a country. */
const pluginKeys = 500_000

/** Opened dependencies of an oracle. */
export interface Opened {
  readonly options: OracleAppOptions
  readonly settings: Settings
  readonly clock: Clock
  readonly storage: Storage
  readonly restores: RestoreWatch
  /** Whether this start found the database restored from a backup. */
  readonly isRestored: boolean
  /** Whether this start created the tables of core. */
  readonly isNew: boolean
  /** The signing key; undefined without a mnemonic. */
  readonly key: SigningKey | undefined
  /** Steps that are undone in reverse order when the boot fails. */
  readonly undo: (() => Promise<unknown>)[]
}

/** The parts of an oracle that need neither turns nor plugins. */
export interface Kernel {
  readonly now: () => number
  readonly address: OracleAddress
  readonly auth: Auth
  readonly identity: Host['identity']
  /** The did:key that the database recorded last, if it differs from the current one. */
  readonly formerDid: string | undefined
  /** The public DID that the database recorded last, if it differs from the current one. */
  readonly formerPublicDid: string | undefined
  /** Returns whether a DID is, or was, that of the oracle. */
  readonly isOracle: (did: string) => Promise<boolean>
  readonly telemetry: Telemetry
  readonly jobs: OpenedJobs
  /** The jobs with metrics and traces. */
  readonly watchedJobs: Jobs
  readonly shareOf: ShareOf
  readonly originOf: OriginOf
  /** The counter of requests. */
  readonly rateCounter: RateCounter
  /** The counter for the limits of plugins. */
  readonly pluginCounter: RateCounter
  /** Aborts when the shutdown begins, for plugins. */
  readonly ending: AbortController
  readonly restores: RestoreWatch
}

/** Creates identity, authentication, telemetry, jobs and limits. */
export const makeKernel = async ({ options, settings, clock, storage, restores, key }: Opened): Promise<Kernel> => {
  const { env, log, redactor } = settings
  const { redact } = redactor
  const now = clock.now.bind(clock)
  const address = oracleAddress(env)
  const auth = makeAuth({ storage, env, environment: options.env ?? process.env, key, address, now, log })
  const history = createKeyHistory(storage.for<CoreTables>())
  const formerDid = key && (await history.record(key.did, now()))
  // With PORT=0 the address differs at each start.
  const hasAddress = env.PUBLIC_URL !== undefined || env.PORT !== 0
  const formerPublicDid = hasAddress ? await history.record(address.did, now()) : undefined
  const identity = hostIdentity({ key, address, history, delegations: auth.delegations, now })
  const telemetry = await makeTelemetry({ ...settings, version: coreVersion, redact })
  const jobs = await openJobs({ storage, clock, logger: log, redact })
  return {
    now,
    address,
    auth,
    identity,
    formerDid,
    formerPublicDid,
    isOracle: async did =>
      sameDid(did, address.did) || did === key?.did || (await history.list()).some(one => one.did === did),
    telemetry,
    jobs,
    watchedJobs: watchJobs(jobs, telemetry, log),
    shareOf: makeShareOf({
      access: env.ORACLE_ACCESS,
      percent: env.LIMIT_SHARE_PERCENT,
      isTrusted: auth.isTrusted,
    }),
    originOf: makeOriginOf(env.ORACLE_ACCESS, key),
    rateCounter: makeRateCounter(storage, log),
    pluginCounter: makeRateCounter(storage, log, pluginKeys),
    ending: new AbortController(),
    restores,
  }
}
