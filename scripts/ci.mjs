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

/**
 * Tests that also run on Node 22: the packages without the agent, most commands and most folders of the plugins, which behave
 * the same on both. Of each plugin, the tests that write to the database.
 */
const onNode22 = [
  ...['identity', 'protocol', 'storage/src/sqlite', 'storage/src/storage.test', 'bundle/src/bundled-plugins.test'],
  ...['gate', 'plugins', 'start'].map(room => `core/src/${room}`),
  'mcp-client/src/lists-and-results.test',
  ...['claims', 'credentials', 'credits', 'entities', 'files', 'firecrawl', 'matrix', 'mcp', 'memory', 'sandbox'].map(
    plugin => `plugins/${plugin}/src/${plugin}.test`,
  ),
  ...['skills', 'sms', 'tasks', 'user-preferences', 'ussd', 'weather'].map(
    plugin => `plugins/${plugin}/src/${plugin}.test`,
  ),
  'plugins/sandbox/src/embedded-runner.test',
  ...['home', 'project/open', 'scaffold'].map(room => `cli/src/${room}`),
].map(path => `packages/${path}${path.includes('.') ? '' : '/'}`)

/** The fault scripts that say most in little time; all of them run with `faults`. */
const faults = [
  ...['kill-nine', 'resume', 'mutated-tokens', 'path-spellings', 'canaries', 'tool-rights'],
  ...['ussd-pins', 'ussd-strangers', 'claims-kill', 'credits-kill', 'credentials-tamper'],
]

/** Leaves out the tests on PostgreSQL, which ran on the newer Node. */
const onSqlite = { SIBYL_TEST_POSTGRES: 'off' }

const beside = { isBeside: true }

const pnpm = (...args) => ['npx', '-y', 'pnpm@12', ...args]

/**
 * Runs one command; returns how it ended.
 *
 * @param {{ isBeside?: boolean, environment?: Record<string, string> }} options With `isBeside`, others run at the same time, and what
 *   it writes is printed after its end.
 */
const runStep = async (name, command, minutes, { isBeside = false, environment = {} } = {}) => {
  const options = { cwd: root, seconds: tally.secondsFor(minutes * 60), environment }
  if (!isBeside) {
    tally.begin(name, command)
    return run(command, options)
  }
  tally.time(name)
  console.log(`... ${name}: begun`)
  const output = []
  const result = await run(command, { ...options, onOutput: text => output.push(text) })
  tally.head(name, command)
  process.stdout.write(output.join(''))
  return result
}

/** Runs one command as a step; true when it ended well. */
const step = async (name, command, minutes, options) => {
  const { ok, why } = await runStep(name, command, minutes, options)
  return tally.add(name, ok, why)
}

/** Runs the tests of some folders, or all, as a step, and counts each of them besides. */
const tests = async (name, script, minutes, folders = [], options = {}) => {
  const report = join(work, `${script.replace(':', '-')}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  await step(name, pnpm(script, ...folders, ...reporters), minutes, options)
  tally.addVitest(report)
}

/** Makes projects of what was built, and counts each step of the way to an answer. */
const packedFlow = async () => {
  const report = join(work, 'packed.json')
  await step('packed projects under npm and pnpm', pnpm('packed', '--built', `--report=${report}`), 8, beside)
  tally.addVitest(report)
}

/** The exit code of `real-clients` where the package registry cannot be reached. */
const registryUnreachable = 69

/** Runs clients that are too large for the workspace, on an oracle, and counts each of their tests. */
const realClients = async () => {
  const name = 'real clients: MCP Inspector, CopilotKit'
  const report = join(work, 'real-clients.json')
  const command = pnpm('real-clients', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`)
  const { ok, why } = await runStep(name, command, 8, beside)
  if (why === `exit code ${registryUnreachable}`) return tally.skip(name, 'the package registry is unreachable')
  tally.add(name, ok, why)
  tally.addVitest(report)
}

const blackBox = async ({ file, oracle: environment = {} }) => {
  tally.begin(`black-box checks: ${file}`, ['an oracle on a free port, then', 'node', '--test', file])
  const report = join(work, `${file}.tap`)
  const data = mkdtempSync(join(work, 'data-'))
  const oracle = await startOracle({ root, data, environment, seconds: tally.secondsFor(90) })
  if (!tally.add(`an oracle for ${file} starts`, oracle.ok, oracle.why)) return oracle.stop()

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
  tally.add(file, result.ok, result.why)
  const stopped = await oracle.stop()
  tally.add(`the oracle for ${file} exits on SIGINT`, stopped.ok, stopped.why)
}

const main = async () => {
  if (!(await step('install', pnpm('install', '--frozen-lockfile'), 8))) return
  await tests('tests on Node 24', 'test', 25)
  const onOlderNode = async () => {
    const options = { ...beside, environment: onSqlite }
    await tests('tests of the packages on Node 22, with SQLite', 'test:node22', 10, onNode22, options)
    await realClients()
  }
  const checksAndBuild = async () => {
    await step('lint, types, import arrows, docs', pnpm('check'), 6, beside)
    if (await step('build', pnpm('build'), 4, beside)) await packedFlow()
  }
  // Installations wait for the registry and the disk: two at a time.
  await Promise.all([onOlderNode(), checksAndBuild()])
  await step('demo', pnpm('demo'), 3)
  await step('faults, quickly', pnpm('faults', ...faults, '--quick'), 8)
  if (!existsSync(conformance)) return console.log('\nThere are no black-box checks beside this checkout.')
  for (const check of blackBoxChecks) {
    if (existsSync(join(root, 'packages/plugins', check.plugin))) await blackBox(check)
  }
}

await main()
process.exit()
