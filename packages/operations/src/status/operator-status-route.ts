import { getHeapStatistics } from 'node:v8'
import type { CorePorts } from '@sibyl/core/ports'
import { nextUtcDay, type Route, route } from '@sibyl/plugin'
import { EventLoopDelay } from '@sibyl/telemetry'
import { type OperatorStatusRecord, operatorStatusRecord } from './status-records.ts'

/** `GET /operator/status`: the state of the oracle and of this process. */
export const operatorStatusRoute = (ports: CorePorts, now: () => number): Route => {
  const read = readStatus(ports, now)
  return route.get(
    '/operator/status',
    {
      auth: 'operator',
      tags: ['Operator'],
      summary: 'Read the state of the oracle, and of the process that answers',
      description:
        'Health, plugins and adapters with the full reasons of their states, the language model with its circuit breaker, limits and ' +
        'budgets with their use. Limits, circuit breaker and process facts are those of the process that answered: `process.id`.',
      ok: { 200: { description: 'The state; also if the database does not respond', schema: operatorStatusRecord } },
    },
    async c => c.json(await read(), 200),
  )
}

/** Creates the reader of `GET /operator/status`. CPU time and delays are measured between two reads. */
const readStatus = (ports: CorePorts, now: () => number): (() => Promise<OperatorStatusRecord>) => {
  const { env, storage, turns, models } = ports
  const eventLoop = new EventLoopDelay()
  const cpuShare = measureCpu()
  return async () => {
    const ping = await timed(() => storage.ping())
    // Today's tokens are in the database.
    const used = ping.value ? await ports.tokensUsed().catch(() => undefined) : undefined
    const delay = eventLoop.take()
    const { capabilities, adapters } = ports.capabilities()
    const memory = process.memoryUsage()
    return {
      status: turns.closing ? 'stopping' : ping.value ? 'ok' : 'degraded',
      environment: env.NODE_ENV,
      timestamp: new Date(now()).toISOString(),
      name: env.ORACLE_NAME,
      version: ports.version,
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
        runningTurns: turns.runningTurns,
        openStreams: turns.openStreams,
      },
      model: {
        name: models.name,
        state: models.state,
        description: models.describe(),
        ...(models.circuit ? { circuit: models.circuit() } : {}),
      },
      plugins: capabilities,
      adapters,
      limits: limitsOf(env, ports.limitUsage()),
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
const limitsOf = (env: CorePorts['env'], used: ReturnType<CorePorts['limitUsage']>): OperatorStatusRecord['limits'] => {
  const perMinute = new Map([
    ['address', env.RATE_LIMIT_PER_MINUTE],
    ['did', env.RATE_LIMIT_DID_PER_MINUTE],
  ])
  const usages = new Map(used.map(usage => [usage.name, usage]))
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
