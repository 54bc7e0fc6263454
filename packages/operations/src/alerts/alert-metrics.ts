import { statfs } from 'node:fs/promises'
import type { CorePorts, CoreTables } from '@sibyl/core/ports'
import type { AlertMetric } from '@sibyl/core/records'
import type { JobCount } from '@sibyl/storage'

/** Metrics of turns that ended in the last minutes; others are values of the moment. */
export const windowedMetrics: ReadonlySet<AlertMetric> = new Set([
  'turns_per_minute',
  'failed_turns_per_minute',
  'failed_turns_percent',
  'turn_p95_seconds',
])

/** Reads the current value of a metric; undefined if it is unknown. */
export type ReadMetric = (metric: AlertMetric, minutes: number) => Promise<number | undefined>

/**
 * Creates readers of the metrics, one for each round of checks, which queries the database once for what several metrics are
 * computed from. Values of the process are those of the process that reads.
 */
export const alertMetrics = (ports: CorePorts, now: () => number) => (): ReadMetric => {
  const { jobs } = ports
  const storage = ports.storage.for<CoreTables>()
  /** Turns that ended since; a turn lasts at most some hours. */
  const ended = (minutes: number) => {
    const since = now() - minutes * 60_000
    return storage.read
      .selectFrom('core_turns')
      .where('ended_at', '>=', since)
      .where('started_at', '>=', since - 6 * 3_600_000)
  }
  const countTurns = async (minutes: number) => {
    const rows = await ended(minutes)
      .select(({ fn }) => ['status', fn.countAll().as('count')])
      .groupBy('status')
      .execute()
    const sum = (of: readonly (typeof rows)[number][]) => of.reduce((total, { count }) => total + Number(count), 0)
    const failed = rows.filter(({ status }) => status === 'failed' || status === 'interrupted')
    return { all: sum(rows), failed: sum(failed) }
  }
  const turns = new Map<number, ReturnType<typeof countTurns>>()
  const counts = (minutes: number) => {
    const known = turns.get(minutes) ?? countTurns(minutes)
    turns.set(minutes, known)
    return known
  }
  let jobCounts: Promise<readonly JobCount[]> | undefined
  const countJobs = () => {
    jobCounts ??= jobs.countsByKind()
    return jobCounts
  }
  const p95Seconds = async (minutes: number) => {
    const { all } = await counts(minutes)
    if (all === 0) return undefined
    const row = await ended(minutes)
      .select(({ eb }) => eb('ended_at', '-', eb.ref('started_at')).as('duration'))
      .orderBy('duration', 'desc')
      .offset(Math.floor(all * 0.05))
      .limit(1)
      .executeTakeFirst()
    return row && Number(row.duration) / 1000
  }
  const deadJobs = async (purpose?: 'outbox') => {
    const kinds = new Set(
      jobs.kinds().flatMap(kind => (purpose === undefined || kind.purpose === purpose ? kind.name : [])),
    )
    return (await countJobs()).reduce(
      (total, { kind, state, count }) =>
        state === 'dead' && (purpose === undefined || kinds.has(kind)) ? total + count : total,
      0,
    )
  }
  const readers: Readonly<Record<AlertMetric, (minutes: number) => Promise<number | undefined> | number>> = {
    turns_per_minute: async minutes => (await counts(minutes)).all / minutes,
    failed_turns_per_minute: async minutes => (await counts(minutes)).failed / minutes,
    async failed_turns_percent(minutes) {
      const { all, failed } = await counts(minutes)
      return all === 0 ? undefined : (100 * failed) / all
    },
    turn_p95_seconds: p95Seconds,
    tokens_today: async () => (await ports.tokensUsed()).tokens,
    async token_budget_percent() {
      const { tokens, budget } = await ports.tokensUsed()
      return budget === 0 ? undefined : (100 * tokens) / budget
    },
    async dead_letters() {
      const ofPlugins = await Promise.all(ports.outboxes().map(one => one.counts()))
      return ofPlugins.reduce((total, counts) => total + counts.dead, await deadJobs('outbox'))
    },
    dead_jobs: () => deadJobs(),
    async late_job_minutes() {
      const waiting = (await countJobs()).filter(({ state }) => state === 'waiting')
      const first = Math.min(...waiting.map(({ firstAt }) => firstAt))
      return Math.max(0, (now() - first) / 60_000)
    },
    plugins_failing: () => ports.plugins().filter(({ state }) => state === 'failed' || state === 'degraded').length,
    model_circuit_open: () => (ports.models.circuit?.() === 'open' ? 1 : 0),
    async database_ms() {
      const startedAt = performance.now()
      await storage.ping()
      return performance.now() - startedAt
    },
    async disk_free_percent() {
      const { bavail, blocks } = await statfs(process.cwd())
      return blocks === 0 ? undefined : (100 * bavail) / blocks
    },
    memory_mb: () => process.memoryUsage.rss() / 1e6,
  }
  return async (metric, minutes) => {
    const value = await readers[metric](minutes)
    return value === undefined ? undefined : Math.round(value * 1000) / 1000
  }
}
