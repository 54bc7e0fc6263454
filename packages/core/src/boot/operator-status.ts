import { getHeapStatistics } from 'node:v8'
import type { LanguageModels } from '@sibyl/models'
import { nextUtcDay, type OperatorStatusRecord } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import { EventLoopDelay } from '@sibyl/telemetry'
import type { CoreEnv } from '../config/core-env.ts'
import type { CapabilitiesAnswer } from '../http/capabilities-route.ts'
import type { RateCounter } from '../limits/rate-counter.ts'
import type { MadeTurns } from '../turn/make-turns.ts'
import { coreVersion } from './core-version.ts'

/** Sources of the state of an oracle. */
export interface OperatorStatusSources {
  readonly env: CoreEnv
  readonly storage: Pick<Storage, 'engine' | 'ping' | 'processes'>
  readonly turns: Pick<MadeTurns, 'service' | 'budgets'>
  readonly models: LanguageModels
  readonly capabilities: () => CapabilitiesAnswer
  /** The counters of requests, and of the limits of plugins. */
  readonly counters: readonly RateCounter[]
  readonly now: () => number
}

/** Creates the reader of `GET /operator/status`. CPU time and delays are measured between two reads. */
export const operatorStatus = (sources: OperatorStatusSources): (() => Promise<OperatorStatusRecord>) => {
  const { env, storage, turns, models, now } = sources
  const eventLoop = new EventLoopDelay()
  const cpuShare = measureCpu()
  return async () => {
    const ping = await timed(() => storage.ping())
    // Today's tokens are in the database.
    const used = ping.value ? await turns.budgets.usedByAll().catch(() => undefined) : undefined
    const delay = eventLoop.take()
    const { service } = turns
    const { capabilities, adapters } = sources.capabilities()
    const memory = process.memoryUsage()
    return {
      status: service.closing ? 'stopping' : ping.value ? 'ok' : 'degraded',
      environment: env.NODE_ENV,
      timestamp: new Date(now()).toISOString(),
      name: env.ORACLE_NAME,
      version: coreVersion,
      database: {
        state: ping.value ? 'connected' : 'disconnected',
        engine: storage.engine,
        pingMs: ping.durationMs,
      },
      process: {
        id: storage.processes.ownId,
        pid: process.pid,
        node: process.versions.node,
        startedAt: new Date(performance.timeOrigin).toISOString(),
        uptimeSeconds: process.uptime(),
        memory: {
          rssBytes: memory.rss,
          heapUsedBytes: memory.heapUsed,
          heapLimitBytes: getHeapStatistics().heap_size_limit,
        },
        cpuShare: cpuShare(),
        ...(delay ? { eventLoopDelayMs: { p50: delay['0.5'] * 1000, p99: delay['0.99'] * 1000 } } : {}),
        runningTurns: service.runningTurns,
        openStreams: service.openStreams,
      },
      model: {
        name: models.name,
        state: models.state,
        description: models.describe(),
        ...(models.circuit ? { circuit: models.circuit() } : {}),
      },
      plugins: capabilities,
      adapters,
      limits: limitsOf(env, sources.counters),
      budgets: {
        tokens: used?.tokens ?? 0,
        ...(env.TOKEN_BUDGET_ORACLE_PER_DAY === 0 ? {} : { budget: env.TOKEN_BUDGET_ORACLE_PER_DAY }),
        ...(env.TOKEN_BUDGET_DID_PER_DAY === 0 ? {} : { perDid: env.TOKEN_BUDGET_DID_PER_DAY }),
        resetsAt: new Date(nextUtcDay(now())).toISOString(),
      },
    }
  }
}

/** Returns the limits of core, also without callers, and those of plugins that have callers. */
const limitsOf = (env: CoreEnv, counters: readonly RateCounter[]): OperatorStatusRecord['limits'] => {
  const perMinute = new Map([
    ['address', env.RATE_LIMIT_PER_MINUTE],
    ['did', env.RATE_LIMIT_DID_PER_MINUTE],
  ])
  const usages = new Map(counters.flatMap(counter => counter.usage()).map(usage => [usage.name, usage]))
  for (const name of perMinute.keys()) {
    if (!usages.has(name)) usages.set(name, { name, callers: 0, limited: 0, fullest: 0 })
  }
  return [...usages.values()]
    .map(usage => {
      const limit = perMinute.get(usage.name)
      return limit === undefined || limit === 0 ? { ...usage } : { ...usage, perMinute: limit }
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const timed = async <Value>(work: () => Promise<Value>) => {
  const startedAt = performance.now()
  const value = await work()
  return { value, durationMs: Math.round((performance.now() - startedAt) * 100) / 100 }
}

/** Returns a function with the share of a core since its last call, at first since the start of the process. */
const measureCpu = (): (() => number) => {
  let last = { cpu: 0, at: performance.now() - process.uptime() * 1000 }
  return () => {
    const { user, system } = process.cpuUsage()
    const current = { cpu: (user + system) / 1000, at: performance.now() }
    const share = (current.cpu - last.cpu) / Math.max(1, current.at - last.at)
    last = current
    return Math.round(share * 1000) / 1000
  }
}
