// How long the event loop stands still while much is deleted: expired nonces, old events of turns, and all of a person, beside
// the same with one statement a table and a checkpoint on the event loop. On SQLite, in files.
// Run: BENCH_ROWS=100000 BENCH_ROUNDS=3 node --conditions=sibyl-source benchmarks/deletions.ts
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOracleApp } from '@sibyl/core'
import { memory } from '@sibyl/plugin-memory'
import { deleteInParts, openStorage, type Storage, sql } from '@sibyl/storage'
import { eraseAtOnce } from './deletions/erase-at-once.ts'
import { fillPerson, fillRows, person } from './deletions/fill-database.ts'
import { type LoopHeld, loopHeld } from './measure/loop-held.ts'
import { median } from './measure/processes.ts'

const rows = Number(process.env.BENCH_ROWS ?? 100_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const folder = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const token = 'operator-token-of-the-benchmark'
const pathOf = (name: string): string => join(folder, `${name}.db`)

const boot = (name: string) =>
  createOracleApp({
    config: { name: 'Benchmark' },
    plugins: [memory()],
    env: {
      DATABASE_URL: `file:${pathOf(name)}`,
      ORACLE_OPERATOR_TOKEN: token,
      MEMORY_MCP_URL: 'embedded:',
      LOG_LEVEL: 'error',
    },
  })

interface Tables {
  core_spent_nonces: { expires_at: number; hash: string }
  core_turn_events: { turn_id: string; first_id: number; created_at: number }
}

type Work = (name: string) => Promise<{ work(): Promise<unknown>; end(): Promise<unknown> }>

const onStorage =
  (work: (storage: Storage<Tables>) => Promise<unknown>): Work =>
  async name => {
    const storage = (await openStorage({ url: `file:${pathOf(name)}` })).for<Tables>()
    return { work: () => work(storage), end: () => storage.close() }
  }

/** Rows of turns that ended before, as the oracle's own sweep finds them. */
const isOld = sql<boolean>`created_at < 1 and not exists (
  select 1 from core_turns where core_turns.id = core_turn_events.turn_id and (ended_at is null or ended_at >= 1))`

const scenarios: Readonly<Record<string, readonly [atOnce: Work, inParts: Work]>> = {
  [`${rows} nonces`]: [
    onStorage(storage => storage.write(tx => tx.deleteFrom('core_spent_nonces').where('expires_at', '<', 1).execute())),
    onStorage(storage =>
      deleteInParts(storage, {
        table: 'core_spent_nonces',
        key: ['expires_at', 'hash'],
        where: eb => eb('expires_at', '<', 1),
      }),
    ),
  ],
  [`events of ${rows} turns`]: [
    onStorage(storage => storage.write(tx => tx.deleteFrom('core_turn_events').where(isOld).execute())),
    onStorage(storage =>
      deleteInParts(storage, { table: 'core_turn_events', key: ['turn_id', 'first_id'], where: () => isOld }),
    ),
  ],
  'a person': [
    async name => eraseAtOnce(pathOf(name)),
    async name => {
      const app = await boot(name)
      const work = async () => {
        const headers = { authorization: `Bearer ${token}` }
        const answer = await app.request(`/people/${encodeURIComponent(person)}`, { method: 'DELETE', headers })
        if (answer.status !== 204) throw new Error(`answered with ${answer.status} ${await answer.text()}`)
      }
      return { work, end: () => app.close() }
    },
  ],
}

const measure = async (prepare: Work): Promise<LoopHeld<unknown>> => {
  copyFileSync(pathOf('filled'), pathOf('work'))
  const { work, end } = await prepare('work')
  const measured = await loopHeld(work)
  await end()
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${pathOf('work')}${suffix}`, { force: true })
  return measured
}

await (await boot('filled')).close()
fillRows(pathOf('filled'), rows)
fillPerson(pathOf('filled'))
console.log(`SQLite, median of ${rounds} rounds; the longest time that the event loop was held at once`)
for (const [what, contestants] of Object.entries(scenarios)) {
  const results: LoopHeld<unknown>[][] = [[], []]
  for (let round = 0; round < rounds; round += 1)
    for (const [place, contestant] of contestants.entries()) results[place]!.push(await measure(contestant))
  const [atOnce, inParts] = results.map(each => ({
    held: median(each.map(({ heldMs }) => heldMs)),
    pause: median(each.map(({ pauseMs }) => pauseMs)),
    wall: median(each.map(({ wallMs }) => wallMs)),
  }))
  for (const [how, { held, pause, wall }] of Object.entries({ 'at once': atOnce!, 'in parts': inParts! }))
    console.log(
      `  ${what.padEnd(24)} ${how.padEnd(8)} held ${held.toFixed(1).padStart(7)} ms (CPU), ${pause.toFixed(1).padStart(7)} ms (wall)` +
        `  in all ${wall.toFixed(0).padStart(6)} ms`,
    )
  const [cpu, wall] = [inParts!.held / atOnce!.held, inParts!.pause / atOnce!.pause]
  console.log(`  ${what.padEnd(24)} ratio    ${cpu.toFixed(3)} (CPU), ${wall.toFixed(3)} (wall)`)
}
rmSync(folder, { recursive: true, force: true })
