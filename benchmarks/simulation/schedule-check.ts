import { scheduledKind, schedules } from './schedules-process.ts'
import type { SimulatedPostgres } from './simulated-postgres.ts'
import { type SimulatedProcess, startTime, type World } from './world.ts'

interface Job {
  readonly id: string
  readonly key: string
  readonly run_at: number
  readonly state: string
}

/** A process knows the time of the database by half the time of a query, which takes 3 s at most. */
const clockErrorMs = 3_000

/** A process that nothing disturbs takes in a due job within so many milliseconds. */
const maxLateMs = 20_000

const minuteMs = 60_000

/** Checks after each commit that each due time takes in one job, and that none is skipped while a process runs. */
export class ScheduleCheck {
  readonly #world: World
  readonly #server: SimulatedPostgres
  readonly #ready: ReadonlyMap<SimulatedProcess, number>
  /** Due times by schedule that took in a job. */
  readonly #fired = new Set<string>()
  readonly #seen = new Set<string>()
  #unfinished = new Set<string>()
  #next = new Map<string, number>()

  /** @param ready processes that have set their schedules, with the virtual time */
  constructor(world: World, server: SimulatedPostgres, ready: ReadonlyMap<SimulatedProcess, number>) {
    this.#world = world
    this.#server = server
    this.#ready = ready
    server.onCommit.push(() => this.#check())
    world.watch(() => this.#checkLate())
  }

  #check(): void {
    const now = startTime + this.#world.now
    const unfinished = new Set<string>()
    for (const job of this.#jobs()) {
      if (job.state === 'waiting' || job.state === 'running') unfinished.add(job.key)
      if (this.#seen.has(job.id)) continue
      this.#seen.add(job.id)
      this.#checkNew(job, now)
    }
    const next = new Map(
      this.#server
        .rows<{ key: string; next_at: number }>('select key, next_at from sibyl_job_schedule')
        .map(({ key, next_at: at }) => [key, at]),
    )
    for (const [key, at] of this.#next) {
      const moved = next.get(key)
      if (moved === at) continue
      const isExpected = this.#fired.has(`${key} ${at}`) || this.#unfinished.has(key)
      if (moved === undefined || !isExpected) this.#skipped(key, at)
      else if (moved < at) this.#world.violate('a due time takes in one job', `${key} goes back to ${time(moved)}`)
      else if (moved - periodOf(key) > now + clockErrorMs) this.#skipped(key, moved - periodOf(key))
    }
    this.#next = next
    this.#unfinished = unfinished
  }

  #jobs(): readonly Job[] {
    const columns = "id, json_extract(data, '$.key') as key, run_at, state"
    return this.#server.rows(`select ${columns} from sibyl_job where kind = '${scheduledKind}'`)
  }

  #checkNew({ key, run_at: at }: Job, now: number): void {
    const due = `${key} ${at}`
    if (this.#fired.has(due)) this.#world.violate('a due time takes in one job', `${key} ${time(at)}`)
    if (at % periodOf(key) !== 0 || at > now + clockErrorMs)
      this.#world.violate('a job of a schedule is taken in when due', `${key} ${time(at)}`)
    this.#fired.add(due)
  }

  #skipped(key: string, at: number): void {
    this.#world.violate('no due time is skipped', `${key} ${time(at)}`)
  }

  #checkLate(): void {
    const { now } = this.#world
    for (const [key, at] of this.#next) {
      if (startTime + now <= at + maxLateMs) continue
      const since = now - maxLateMs
      for (const [process, readyAt] of this.#ready) {
        if (!process.alive || readyAt > since || process.disturbedUntil > since) continue
        this.#world.violate('a schedule is not late while a process runs', `${key} ${time(at)}, ${process.name}`)
        return
      }
    }
  }
}

const periodOf = (key: string): number => schedules[key as keyof typeof schedules] * minuteMs

const time = (at: number): string => new Date(at).toISOString()
