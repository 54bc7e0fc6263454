import type { CorePorts } from '@sibyl/core/ports'
import { isoTime, pause, type Route, route } from '@sibyl/plugin'
import { readUsage, type StorageUsage } from '@sibyl/storage'
import { storageRecord } from './status-records.ts'

/** A measurement reads all pages of a SQLite file, so one is shown for a while, in milliseconds. */
const freshMs = 600_000
/** The most time that a request waits for a measurement, in milliseconds. */
const waitMs = 2_000

interface StorageRouteOptions {
  readonly now: () => number
  /** Aborts when the shutdown begins, which stops a measurement. */
  readonly ending: AbortSignal
}

/** `GET /operator/storage`: the size and growth of each table. */
export const storageRoute = ({ env, storage }: CorePorts, { now, ending }: StorageRouteOptions): Route => {
  let last: { readonly at: number; readonly usage: StorageUsage } | undefined
  let running: Promise<void> | undefined
  /** Of a measurement that failed after its request was answered: the next request reports it. */
  let failure: { readonly error: unknown } | undefined
  const measure = async () => {
    try {
      const usage = await readUsage({ url: env.DATABASE_URL, storage, now: now(), signal: ending })
      last = { at: now(), usage }
    } catch (error) {
      failure = { error }
    } finally {
      running = undefined
    }
  }
  return route.get(
    '/operator/storage',
    {
      auth: 'operator',
      tags: ['Operator'],
      summary: 'Read how much each table stores, and how fast it grows',
      description:
        'Tables of the database with their indexes, the largest first; stored files are not included. Growth is that of the rows of ' +
        'the last 7 days. A measurement is shown for 10 minutes. One of a large file takes minutes beside the work of the oracle: ' +
        'request it again while `isMeasuring` is true.',
      ok: { 200: { description: 'The last measurement, once there is one', schema: storageRecord } },
    },
    async c => {
      if (!last || now() - last.at > freshMs) {
        if (!failure) {
          running ??= measure()
          await Promise.race([running, pause(waitMs, ending)])
        }
        const failed = failure
        failure = undefined
        if (failed) throw failed.error
      }
      return c.json(
        {
          isMeasuring: running !== undefined,
          ...(last ? { measuredAt: isoTime(last.at), usage: { ...last.usage, tables: [...last.usage.tables] } } : {}),
        },
        200,
      )
    },
  )
}
