import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { importsWithout } from '../faults/frame/imports-without.ts'
import { runSeed, type Trial } from './run-seed.ts'
import { schedulesTrial } from './schedules-trial.ts'

let trial: Trial

beforeAll(async () => {
  trial = await schedulesTrial()
})

test.each([1, 2, 16])('each due time of a schedule takes in one job under seed %i', async seed => {
  expect((await runSeed(seed, trial)).violations).toEqual([])
})

test('finds a second job of a due time', async () => {
  const database = new DatabaseSync(':memory:')
  database.deserialize(trial.template)
  database.exec(`create trigger again after update of state on sibyl_job when new.state = 'done' begin
    update sibyl_job_schedule set next_at = new.run_at where next_at - new.run_at = 60000; end`)
  const { violations } = await runSeed(1, { ...trial, template: database.serialize() })
  expect(violations[0]).toMatchObject({ invariant: 'a due time takes in one job' })
})

test.each([
  ['schedules-kept-at-starts', 'no due time is skipped'],
  ['schedules-moved-once', 'a due time takes in one job'],
  ['schedules-moved-with-jobs', 'no due time is skipped'],
])('finds within 30 seeds that %s is removed', { tags: ['long'], timeout: 60_000 }, async (defence, invariant) => {
  const options = ['--conditions=sibyl-source', ...importsWithout([defence])]
  const args = [...options, join(import.meta.dirname, 'trial.ts'), 'schedules', '1', '30']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toContain(`"violations of an invariant":["${invariant}`)
})
