import { type Clock, type Logger, utcDay } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { inParts } from '../storage/value-lists.ts'

/** Counted events of a screen, by their columns. */
export const flowEvents = ['entered', 'continued', 'flow_ended', 'user_ended', 'timed_out', 'errors'] as const

/** An event of a session at a screen of the flow. */
export type FlowEvent = (typeof flowEvents)[number]

type Counts = Record<FlowEvent, number>

export interface FlowCountsDependencies {
  readonly storage: UssdStorage
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
}

/** Time between the first pending count and the write of all, in milliseconds. */
const writeDelayMs = 5_000

/**
 * Counts where sessions stop, by day and screen, without phone numbers and sessions. Counts are added up in memory and
 * written together every few seconds, so that a request causes no further write; a killed process loses the counts of
 * these seconds.
 */
export class FlowCounts {
  readonly #dependencies: FlowCountsDependencies
  /** By UTC day, then by screen. */
  #pending = new Map<string, Map<string, Counts>>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isFailing = false
  #isClosed = false

  constructor(dependencies: FlowCountsDependencies) {
    this.#dependencies = dependencies
  }

  add(screen: string, event: FlowEvent): void {
    const counts = this.#countsOf(utcDay(this.#dependencies.clock.now()), screen)
    counts[event] += 1
    this.#writeLater()
  }

  /** Writes the pending counts; those that cannot be written stay pending. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  /** Writes the pending counts, without a retry. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.flush()
  }

  #countsOf(day: string, screen: string): Counts {
    const ofDay = this.#pending.get(day) ?? new Map<string, Counts>()
    this.#pending.set(day, ofDay)
    const counts = ofDay.get(screen) ?? { ...none }
    ofDay.set(screen, counts)
    return counts
  }

  #writeLater(): void {
    if (this.#isClosed || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, writeDelayMs).unref()
  }

  async #write(): Promise<void> {
    const { storage, log } = this.#dependencies
    const pending = this.#pending
    if (pending.size === 0) return
    this.#pending = new Map()
    try {
      await writeCounts(storage, rowsOf(pending))
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) log.warn('the counts of the USSD flow could not be written; they are kept', { error })
      this.#isFailing = true
      this.#restore(pending)
    }
  }

  #restore(pending: ReadonlyMap<string, ReadonlyMap<string, Counts>>): void {
    for (const [day, ofDay] of pending) {
      for (const [screen, counts] of ofDay) {
        const kept = this.#countsOf(day, screen)
        for (const event of flowEvents) kept[event] += counts[event]
      }
    }
    this.#writeLater()
  }
}

const none: Counts = { entered: 0, continued: 0, flow_ended: 0, user_ended: 0, timed_out: 0, errors: 0 }

interface CountRow {
  readonly day: string
  readonly screen: string
  readonly counts: Counts
}

/** Returns the rows in the order of their keys, so that two processes never wait for each other. */
const rowsOf = (pending: ReadonlyMap<string, ReadonlyMap<string, Counts>>): CountRow[] =>
  [...pending]
    .flatMap(([day, ofDay]) => [...ofDay].map(([screen, counts]) => ({ day, screen, counts })))
    .sort((one, other) => (one.day + one.screen < other.day + other.screen ? -1 : 1))

const writeCounts = (storage: UssdStorage, rows: readonly CountRow[]): Promise<void> =>
  storage.write(
    async tx => {
      for (const part of inParts(rows)) {
        const values = part.map(
          ({ day, screen, counts }) => sql`(${sql.join([day, screen, ...flowEvents.map(event => counts[event])])})`,
        )
        const sums = flowEvents.map(
          event => sql`${sql.ref(event)} = ussd_flow_counts.${sql.ref(event)} + excluded.${sql.ref(event)}`,
        )
        await sql`
          insert into ussd_flow_counts (day, screen, ${sql.join(flowEvents.map(event => sql.ref(event)))})
          values ${sql.join(values)}
          on conflict (day, screen) do update set ${sql.join(sums)}`.execute(tx)
      }
    },
    { isolation: 'read committed' },
  )
