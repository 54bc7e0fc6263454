import type { Outside } from './jobs-process.ts'
import type { SimulatedPostgres } from './simulated-postgres.ts'
import { startTime, type World } from './world.ts'

interface Ended {
  readonly world: World
  readonly server: SimulatedPostgres
  readonly outside: Outside
  /** The operations that were acknowledged. */
  readonly acknowledged: readonly string[]
}

/** Checks what must hold once everything has come to rest. */
export const checkEnd = ({ world, server, outside, acknowledged }: Ended): void => {
  const jobs = server.rows<{
    id: string
    kind: string
    data: string
    state: string
    run_at: number
    last_error: string
  }>('select * from sibyl_job')
  for (const { id, kind, data, state, run_at: runAt, last_error: error } of jobs) {
    if (state === 'done' || state === 'dead' || runAt > startTime + world.now) continue
    world.violate('no job runs for ever', `${id} ${kind} ${data} ${state} ${error}`)
  }
  const charged = new Map(
    server
      .rows<{ turn: string; count: number }>(
        `select substr(key, 8) as turn, count(*) as count from credits_transactions where kind = 'charge' group by turn`,
      )
      .map(({ turn, count }) => [turn, count]),
  )
  const delivered = [...outside.messages.values()].flat()
  const stored = new Set(jobs.map(({ data }) => data))
  const checks: Readonly<Record<string, (name: string) => boolean>> = {
    job: name => stored.has(JSON.stringify({ name })) && outside.runs.has(name),
    hold: name => outside.runs.has(name),
    message: name => delivered.includes(name),
    turn: name => charged.get(name) === 1,
  }
  for (const name of acknowledged) {
    if (!checks[name.split(' ')[0]!]!(name)) world.violate('what is acknowledged is stored and done', name)
  }
  const places = new Map(
    server.rows<{ id: string; place: number }>('select id, place from sim_message').map(({ id, place }) => [id, place]),
  )
  for (const [key, ids] of outside.messages) {
    const order = ids.map(id => places.get(id) ?? -1)
    if (order.some((place, index) => place !== index)) {
      world.violate('messages of a key are delivered in order', `${key}: ${order.join(' ')}`)
    }
  }
}
