// What .ci/run runs. Plain JavaScript for the Node of the machine, before anything is installed.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { killEverything, run } from './ci/run.mjs'
import { startOracle } from './ci/start-oracle.mjs'
import { Tally } from './ci/tally.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const conformance = resolve(root, '../shared/conformance')
const work = mkdtempSync(join(tmpdir(), 'sibyl-ci-'))
const tally = new Tally(40 * 60)

process.on('exit', () => {
  killEverything()
  rmSync(work, { recursive: true, force: true })
  tally.print()
  if (tally.failed > 0) process.exitCode = 1
})
process.on('uncaughtException', error => {
  tally.add('the run itself', false, error.stack)
  process.exit(1)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    tally.add('the run itself', false, `ended by ${signal}`)
    process.exit(1)
  })
}

/** The black-box checks, each file for the plugin that it needs, on an oracle with the environment that it needs. */
const blackBoxChecks = [
  { file: 'runtime.test.mjs', plugin: 'weather' },
  { file: 'ussd.test.mjs', plugin: 'ussd', oracle: { USSD_OPERATOR_TOKEN: 'ci-operator-token-0123456789' } },
  { file: 'entities.test.mjs', plugin: 'entities', oracle: { ENTITIES_API_KEYS: 'ci:ci-entities-key-0123456789' } },
  { file: 'rate-limit.test.mjs', plugin: 'ussd' },
]

/** A quick form of `test:node22`, which runs whole in a job of its own (.github/workflows/ci.yml). */
const onNode22 = ['examples/demo', 'packages/storage/src/sqlite']

const pnpm = (...args) => ['npx', '-y', 'pnpm@12', ...args]

/**
 * Runs one command as a step; true when it ended well.
 *
 * @param {{ environment?: Record<string, string>, isBeside?: boolean }} options `isBeside` for a step beside another one:
 *   what it writes is printed when it has ended
 */
const step = async (name, command, minutes, { environment, isBeside = false } = {}) => {
  const log = tally.begin(name, command, isBeside)
  const seconds = tally.secondsFor(minutes * 60)
  const { ok, why } = await run(command, {
    cwd: root,
    seconds,
    environment,
    onOutput: isBeside ? log.write : undefined,
  })
  return log.end(ok, why)
}

/** Runs a command as a step, and also counts each test of its report. */
const tests = async (name, command, minutes, isBeside) => {
  const report = join(work, `${command[3].replace(':', '-')}.json`)
  await step(name, command, minutes, { environment: { SIBYL_TEST_REPORT: report }, isBeside })
  tally.addVitest(report)
}

const blackBox = async ({ file, oracle: environment = {} }) => {
  const log = tally.begin(`black-box checks: ${file}`, ['an oracle on a free port, then', 'node', '--test', file])
  const report = join(work, `${file}.tap`)
  const data = mkdtempSync(join(work, 'data-'))
  const oracle = await startOracle({ root, data, environment, seconds: tally.secondsFor(90) })
  if (!log.end(oracle.ok, oracle.why, `an oracle for ${file} starts`)) return oracle.stop()

  const reporters = ['spec', 'stdout', 'tap', report].flatMap((value, index) => [
    index % 2 === 0 ? '--test-reporter' : '--test-reporter-destination',
    value,
  ])
  const [, entitiesKey = ''] = (environment.ENTITIES_API_KEYS ?? '').split(':')
  const result = await run([process.execPath, '--test', ...reporters, file], {
    cwd: conformance,
    seconds: tally.secondsFor(180),
    environment: { ...environment, ENTITIES_API_KEY: entitiesKey, BASE_URL: oracle.url },
  })
  tally.addTap(report)
  log.end(result.ok, result.why, file)
  const stopped = await oracle.stop()
  log.end(stopped.ok, stopped.why, `the oracle for ${file} exits on SIGINT`)
}

/** Runs the steps that need no build: the compiler uses one core, and the tests wait for processes and pages a fifth of their time. */
const withoutBuild = async () => {
  await step('lint', pnpm('lint'), 3, { isBeside: true })
  await tests('tests on Node 22', pnpm('test:node22', ...onNode22), 10, true)
  await step('demo', pnpm('demo'), 5, { isBeside: true })
}

const main = async () => {
  if (!(await step('install', pnpm('install', '--frozen-lockfile'), 8))) return
  const beside = withoutBuild()
  // Tests of the guide and of examples use the declarations and the bundles, which they would make themselves.
  const isBuilt = await step('types, build', pnpm('build'), 6)
  const packed = isBuilt && tests('a packed project under npm', pnpm('packed', '--built', '--quick', 'npm'), 15, true)
  await Promise.all([tests('tests', pnpm('test'), 25), packed, beside])
  if (!existsSync(conformance)) return console.log('\nThere are no black-box checks beside this checkout.')
  for (const check of blackBoxChecks) {
    if (existsSync(join(root, 'packages/plugins', check.plugin))) await blackBox(check)
  }
}

await main()
process.exit()
