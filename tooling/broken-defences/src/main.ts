/**
 * Breaks defences of the sources, one at a time, and runs tests until one fails.
 *
 *     node --conditions=sibyl-source tooling/broken-defences/src/main.ts --seed=20261128
 *
 * Draws `--count` (30) of the defences in `benchmarks/faults/defences` by `--seed`, or takes those that `--only` names.
 * Changes the sources of a temporary checkout of `--revision` (HEAD), in which it installs the dependencies. Runs the test
 * file that caught the defence last, by `caught-by.json`, then those nearest by imports, for at most `--minutes` (10) per
 * defence. At the end every test that failed must pass with the original sources. Writes `caught-by.json`, and exits with 1
 * if no test caught a defence.
 */
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defences } from '@sibyl/benchmarks/defences'
import { drawNames } from './draw-names.ts'
import { type NearTests, readNearTests } from './near-tests.ts'
import { runTests } from './run-tests.ts'
import { createScratchCheckout } from './scratch-checkout.ts'

const maxBatch = 8
const caughtByFile = join(import.meta.dirname, '../caught-by.json')

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
    count: { type: 'string', default: '30' },
    only: { type: 'string' },
    revision: { type: 'string', default: 'HEAD' },
    minutes: { type: 'string', default: '10' },
  },
})
const drawn = values.only?.split(',') ?? drawNames(Object.keys(defences), values.seed, Number(values.count))
if (drawn.length === 0 || drawn.some(name => !defences[name]))
  throw new Error('Set --only to names of benchmarks/faults/defences, with commas, or --count to 1 or more.')
const caughtBy = JSON.parse(readFileSync(caughtByFile, 'utf8')) as Record<string, string>

using checkout = createScratchCheckout(values.revision)
let nearTests: NearTests | undefined

/** Lists the test files to run, the likeliest first. */
const listTests = function* (name: string, file: string): Generator<string[]> {
  const hint = caughtBy[name]
  if (hint && existsSync(join(checkout.root, hint))) yield [hint]
  nearTests ??= readNearTests(checkout.root)
  const others = nearTests(file).filter(test => test !== hint)
  for (let size = 1; others.length > 0; size = Math.min(2 * size, maxBatch)) yield others.splice(0, size)
}

/** Returns the first test that fails without a defence, or undefined. */
const breakDefence = async (name: string): Promise<string | undefined> => {
  const { replacements } = defences[name]!
  using _ = checkout.replace(replacements)
  const end = performance.now() + Number(values.minutes) * 60_000
  for (const files of listTests(name, replacements[0]!.file)) {
    const timeoutMs = end - performance.now()
    if (timeoutMs <= 0) return undefined
    const failures = (await runTests(checkout.root, files, { bail: true, timeoutMs })) ?? []
    if (failures.length > 0) return failures[0]
  }
  return undefined
}

console.log(
  `Seed ${values.seed}, revision ${values.revision}, ${drawn.length} of ${Object.keys(defences).length} defences.\n`,
)
console.log('| Defence | Broken in | Caught by | Seconds |\n| --- | --- | --- | --- |')
const caught = new Map<string, string>()
for (const name of drawn) {
  const start = performance.now()
  const test = await breakDefence(name)
  if (test) caught.set(name, test)
  const seconds = Math.round((performance.now() - start) / 1_000)
  console.log(`| ${name} | ${defences[name]!.replacements[0]!.file} | ${test ?? '**no test**'} | ${seconds} |`)
}

const fileOf = (test: string) => test.split(' › ')[0]!
const files = [...new Set([...caught.values()].map(fileOf))]
const control = files.length > 0 ? await runTests(checkout.root, files, { bail: false, timeoutMs: 1_800_000 }) : []
if (!control)
  throw new Error('The tests did not end within 30 minutes with the original sources. Run the script again.')
for (const [name, test] of caught) {
  if (!control.includes(test)) continue
  console.log(`${name}: '${test}' also fails with the original sources.`)
  caught.delete(name)
}
for (const [name, test] of caught) caughtBy[name] = fileOf(test)
writeFileSync(caughtByFile, `${JSON.stringify(Object.fromEntries(Object.entries(caughtBy).sort()), undefined, 2)}\n`)
console.log(`\nTests caught ${caught.size} of ${drawn.length} broken defences.`)
if (caught.size < drawn.length) process.exitCode = 1
