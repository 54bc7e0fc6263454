import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import { jobsTrial } from './jobs-trial.ts'
import { planOf } from './plan.ts'
import { runSeed, type Trial } from './run-seed.ts'
import { shorten } from './shorten.ts'
import { turnsTrial } from './turns-trial.ts'

let trial: Trial

beforeAll(async () => {
  trial = await jobsTrial()
})

test('crashes, partitions and clock jumps under 12 seeds break no invariant', async () => {
  for (let seed = 1; seed <= 12; seed += 1) expect((await runSeed(seed, trial)).violations).toEqual([])
})

test('takes no job whose holder renews its lease at the moment it expires', async () => {
  const operations = [0, 1, 2, 3].map(key => ({ kind: 'job' as const, at: 1_000, process: 0, key }))
  const disturbances = [0, 1].map(process => ({
    kind: 'cut' as const,
    at: 4_000,
    process,
    ms: 18_000 + 3_000 * process,
  }))
  const plan = { processes: 2, longJobs: 1, operations, disturbances }
  for (const seed of [8, 55, 56]) expect((await runSeed(seed, trial, plan)).violations).toEqual([])
})

test('a turn whose processes crash charges no account twice', async () => {
  expect((await runSeed(9, await turnsTrial())).violations).toEqual([])
})

test('a seed repeats a run to the byte, and another one does not', async () => {
  const traces = [2, 2, 4].map(() => [] as string[])
  const results = []
  for (const [index, seed] of [2, 2, 4].entries()) {
    results.push(await runSeed(seed, trial, undefined, line => traces[index]!.push(line)))
  }
  expect(traces[1]).toEqual(traces[0])
  expect(results[1]).toEqual(results[0])
  expect(results[2]!.digest).not.toBe(results[0]!.digest)
})

test('finds a database that loses an acknowledged write, and shortens the run to it', async () => {
  const database = new DatabaseSync(':memory:')
  database.deserialize(trial.template)
  database.exec(`create trigger lost after insert on sibyl_job when new.kind = 'trial/settle'
    begin delete from sibyl_job where id = new.id; end`)
  const losing = { ...trial, template: database.serialize() }
  const operations = (['job', 'turn', 'message'] as const).map(kind => ({ kind, at: 1_000, process: 1, key: 0 }))
  const disturbances = [{ kind: 'clock', at: 1_010, process: 0, ms: 40_000 } as const]
  const plan = { ...planOf(1), processes: 3, operations, disturbances }
  const result = await runSeed(1, losing, plan)
  expect(result.violations[0]).toMatchObject({ invariant: 'what is acknowledged is stored and done' })
  const short = await shorten(1, losing, { plan, result })
  expect(short.plan).toMatchObject({ operations: [operations[1]], disturbances: [] })
})
