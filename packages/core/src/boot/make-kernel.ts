import type { SigningKey } from '@sibyl/identity'
import type { Clock } from '@sibyl/plugin'
import { makeOriginOf, makeShareOf } from '@sibyl/plugin/host'
import { sameDid } from '@sibyl/protocol'
import { openJobs, type RestoreWatch, type Storage } from '@sibyl/storage'
import { makeTelemetry, watchJobs } from '@sibyl/telemetry'
import { makeAuth } from '../auth/make-auth.ts'
import { oracleAddress } from '../auth/oracle-address.ts'
import { hostIdentity } from '../auth/oracle-identity.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { createKeyHistory } from '../did/key-history.ts'
import { makeRateCounter } from '../limits/make-rate-counter.ts'
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

/** Creates identity, authentication, telemetry, jobs and limits. */
export const makeKernel = async ({ options, settings, clock, storage, restores, key }: Opened) => {
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
    /** The did:key that the database recorded last, if it differs from the current one. */
    formerDid,
    /** The public DID that the database recorded last, if it differs from the current one. */
    formerPublicDid,
    /** Returns whether a DID is, or was, that of the oracle. */
    isOracle: async (did: string): Promise<boolean> =>
      sameDid(did, address.did) || did === key?.did || (await history.list()).some(one => one.did === did),
    telemetry,
    jobs,
    /** The jobs with metrics and traces. */
    watchedJobs: watchJobs(jobs, telemetry, log),
    shareOf: makeShareOf({
      access: env.ORACLE_ACCESS,
      percent: env.LIMIT_SHARE_PERCENT,
      isTrusted: auth.isTrusted,
    }),
    originOf: makeOriginOf(env.ORACLE_ACCESS, key),
    /** The counter of requests. */
    rateCounter: makeRateCounter(storage, log),
    /** The counter for the limits of plugins. */
    pluginCounter: makeRateCounter(storage, log, pluginKeys),
    /** Aborts when the shutdown begins, for plugins. */
    ending: new AbortController(),
    restores,
  }
}

/** The parts of an oracle that need neither turns nor plugins. */
export type Kernel = Awaited<ReturnType<typeof makeKernel>>
