/**
 * Breaks defences of the sources, one at a time, and runs tests until one fails.
 *
 *     node --conditions=sibyl-source tooling/broken-defences/src/main.ts --seed=20261128
 *
 * Draws `--count` (30) of the defences in `benchmarks/faults/defences.ts` by `--seed`, or takes those that `--only` names.
 * Changes the sources of a temporary checkout of `--revision` (HEAD), in which it installs the dependencies. Runs the test
 * file that the table names, then those nearest by imports, for at most `--minutes` (10) per defence. At the end every test
 * that failed must pass with the original sources. Prints the tests that the table should name instead, and exits with 1 if
 * no test caught a defence.
 */
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Defence, defences, findDefence, replacementsOf } from '@sibyl/benchmarks/defences'
import { drawNames } from './draw-names.ts'
import { type NearTests, readNearTests } from './near-tests.ts'
import { runTests } from './run-tests.ts'
import { createScratchCheckout } from './scratch-checkout.ts'

const maxBatch = 8

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
    count: { type: 'string', default: '30' },
    only: { type: 'string' },
    revision: { type: 'string', default: 'HEAD' },
    minutes: { type: 'string', default: '10' },
  },
})
const names = defences.map(({ name }) => name)
const drawnNames = values.only?.split(',') ?? drawNames(names, values.seed, Number(values.count))
const drawn = drawnNames.map(findDefence).filter(defence => defence !== undefined)
if (drawn.length === 0 || drawn.length < drawnNames.length)
  throw new Error('Set --only to names of benchmarks/faults/defences.ts, with commas, or --count to 1 or more.')

using checkout = createScratchCheckout(values.revision)
let nearTests: NearTests | undefined

/** Lists the test files to run, the likeliest first. */
const listTests = function* ({ test: hint, file }: Defence): Generator<string[]> {
  if (existsSync(join(checkout.root, hint))) yield [hint]
  nearTests ??= readNearTests(checkout.root)
  const others = nearTests(file).filter(test => test !== hint)
  for (let size = 1; others.length > 0; size = Math.min(2 * size, maxBatch)) yield others.splice(0, size)
}

/** Returns the first test that fails without a defence, or undefined. */
const breakDefence = async (defence: Defence): Promise<string | undefined> => {
  using _ = checkout.replace(replacementsOf(defence))
  const end = performance.now() + Number(values.minutes) * 60_000
  for (const files of listTests(defence)) {
    const timeoutMs = end - performance.now()
    if (timeoutMs <= 0) return undefined
    const failures = (await runTests(checkout.root, files, { bail: true, timeoutMs })) ?? []
    if (failures.length > 0) return failures[0]
  }
  return undefined
}

console.log(`Seed ${values.seed}, revision ${values.revision}, ${drawn.length} of ${defences.length} defences.\n`)
console.log('| Defence | Broken in | Caught by | Seconds |\n| --- | --- | --- | --- |')
const caught = new Map<Defence, string>()
for (const defence of drawn) {
  const start = performance.now()
  const test = await breakDefence(defence)
  if (test) caught.set(defence, test)
  const seconds = Math.round((performance.now() - start) / 1_000)
  console.log(`| ${defence.name} | ${defence.file} | ${test ?? '**no test**'} | ${seconds} |`)
}

const fileOf = (test: string) => test.split(' › ')[0]!
const files = [...new Set([...caught.values()].map(fileOf))]
const control = files.length > 0 ? await runTests(checkout.root, files, { bail: false, timeoutMs: 1_800_000 }) : []
if (!control)
  throw new Error('The tests did not end within 30 minutes with the original sources. Run the script again.')
for (const [defence, test] of caught) {
  if (!control.includes(test)) continue
  console.log(`${defence.name}: '${test}' also fails with the original sources.`)
  caught.delete(defence)
}
for (const [{ name, test: named }, test] of caught) {
  if (fileOf(test) !== named)
    console.log(`${name}: Set its test in benchmarks/faults/defences.ts to '${fileOf(test)}'.`)
}
console.log(`\nTests caught ${caught.size} of ${drawn.length} broken defences.`)
if (caught.size < drawn.length) process.exitCode = 1
