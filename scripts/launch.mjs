// The one entry of every command in package.json. It must parse on old Node versions, where the project itself does not
// run, so that whoever starts it there reads what is wrong instead of a syntax error. Keep to what Node 14 knows.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = '--conditions=sibyl-source'
const biome = 'node_modules/@biomejs/biome/bin/biome'
const tsc = 'node_modules/typescript/bin/tsc'
const vitest = 'node_modules/vitest/vitest.mjs'
const changesets = 'node_modules/@changesets/cli/bin.js'
const turbo = 'node_modules/turbo/bin/turbo'
const quickstart = 'examples/quickstart/src/main.ts'
const node22 = 'tooling/node22/node_modules/node/bin/node'

const lint = [biome, 'check', '--error-on-warnings', '--diagnostic-level=warn', '.']

/** One checker a project: several check the same types repeatedly, which costs a third more. */
const buildTypes = [tsc, '-b', '--checkers', '1']

/** Tests with the tag `long` take longer than CI has time for at each change. */
const tests = [vitest, 'run', '--tags-filter=!long']
const longTests = [vitest, 'run', '--tags-filter=long']

/** The exit code of a usage error, and of a machine on which nothing can run. */
const usageError = 2

/** The steps of each command, in order: arguments of node. The last step also gets the arguments of the caller. */
const commands = {
  demo: { about: 'show a tour of a running oracle', steps: [[source, 'examples/demo/src/main.ts']] },
  'clean-cooking': {
    about: 'digital twins, from a protocol to a verified credential',
    steps: [[source, 'examples/clean-cooking/src/main.ts']],
  },
  'field-office': {
    about: 'phones, a chat and a Matrix room on one oracle with all plugins; --stay keeps it running',
    steps: [[source, 'examples/field-office/src/main.ts']],
  },
  'field-research': {
    about: 'an agent reads a page, runs code on it and remembers it',
    steps: [[source, 'examples/field-research/src/main.ts']],
  },
  start: {
    about: 'serve examples/quickstart; settings from the environment, such as PORT',
    steps: [[source, quickstart]],
  },
  dev: { about: 'serve it, and restart it at every change', steps: [[source, '--watch', quickstart]] },
  sibyl: { about: 'run the command line from source', steps: [[source, 'packages/cli/src/bin.ts']] },
  test: { about: 'run the tests, except the long ones; takes folders and options of Vitest', steps: [tests] },
  'test:long': { about: 'run the long tests: kills, crowds, hostile peers, whole pages', steps: [longTests] },
  'test:node22': { about: 'run the tests under Node 22', steps: [['--version'], tests], node: node22 },
  check: {
    about: 'run Biome, the types and the checks of tooling; --budget prints the budget, --lower after it lowers limits',
    options: { '--budget': [[source, 'tooling/code-metrics/src/main.ts']] },
    steps: [lint, buildTypes, [vitest, 'run', 'tooling']],
    everyStep: true,
  },
  lint: { about: 'run Biome', steps: [lint] },
  format: { about: 'format, sort imports and apply fixes', steps: [[biome, 'check', '--write', '.']] },
  build: {
    about: 'compile every package into its dist folder',
    steps: [buildTypes, ['scripts/bundle-packages.mjs']],
  },
  packed: {
    about: 'create projects from packed packages, then test and deploy them',
    steps: [['scripts/packed-flow.mjs']],
  },
  release: {
    about: 'pack and check every published package; --dry-run publishes nothing',
    steps: [['scripts/release.mjs']],
  },
  changeset: { about: 'describe a change for the next release', steps: [[changesets]] },
  'release:version': { about: 'set the version of the next release', steps: [['scripts/version.mjs']] },
  images: {
    about: 'record the terminal session of the README, draw its pictures and take those of the console',
    steps: [[source, 'tooling/readme-images/src/main.ts']],
  },
  words: {
    about: 'check the wording; --list with paths shows excluded words, --update lowers the counts',
    steps: [[source, 'tooling/words/src/main.ts']],
  },
  bench: { about: 'run the measurements of benchmarks/README.md', steps: [[source, 'benchmarks/run.ts']] },
  faults: {
    about: 'run the crash and abuse scripts of benchmarks/faults; takes names, and --quick',
    steps: [[source, 'benchmarks/faults/all.ts']],
  },
  'mcp-conformance': {
    about: 'run the official MCP conformance kit; takes scenarios',
    steps: [[source, 'tooling/mcp-conformance/src/main.ts']],
  },
  'real-clients': {
    about: 'test the adapters with clients of others; installs 640 MB, and 830 MB for a while',
    steps: [
      [source, 'tooling/real-clients/src/main.ts'],
      [vitest, 'run', '--config', 'tooling/real-clients/vitest.config.ts'],
    ],
  },
  reference: {
    about: 'write AGENTS.md and the other generated pages',
    steps: [[source, 'tooling/generate-reference/src/main.ts']],
  },
  site: {
    about: 'build the documentation site and serve it; build alone builds it, draw redraws the pictures',
    steps: [[source, 'site/src/main.ts']],
  },
  cached: {
    about: 'build, check and test, only what changed',
    steps: [[turbo, 'run', 'build', 'check', 'test', '--concurrency=1']],
  },
}

const name = process.argv[2]
const named = Object.keys(commands).includes(name) ? commands[name] : undefined
const optionSteps = named?.options?.[process.argv[3]]
const command = optionSteps ? { steps: optionSteps } : named
const fault = command ? findFault(command) : usage()
if (fault) {
  console.error(fault)
  process.exit(usageError)
}
runSteps(command, process.argv.slice(optionSteps ? 4 : 3))

function usage() {
  const lines = Object.keys(commands).map(key => `  ${key.padEnd(16)}${commands[key].about}`)
  const said = name === undefined ? 'Which command?' : `There is no command '${name}'.`
  return `${said} Use npx -y pnpm@12 <command>, with one of:\n${lines.join('\n')}`
}

/** Returns why a command cannot run, with the remedy; undefined if it can run. */
function findFault(wanted) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const minimum = manifest.engines.node.replace('>=', '')
  const tools = Object.keys(manifest.devDependencies).filter(tool => !existsSync(join(root, 'node_modules', tool)))
  const install = 'Install them with: npx -y pnpm@12 install'

  if (!existsSync(join(root, 'node_modules'))) return `The dependencies are not installed. ${install}`
  if (tools.length > 0 || !existsSync(join(root, 'node_modules/.modules.yaml'))) {
    const missing = tools.length > 0 ? ` (missing: ${tools.join(', ')})` : ''
    return `The installation of the dependencies is incomplete${missing}.\n${install}`
  }
  if (!isAtLeast(process.versions.node, minimum)) {
    return [
      `Sibyl needs Node ${minimum} or later, and this is Node ${process.versions.node}.`,
      `Nothing has to be installed by hand: npx -y pnpm@12 ${name} brings Node 24 along.`,
      'If that is what you ran, its installation failed: see above, or run npx -y pnpm@12 install',
    ].join('\n')
  }
  if (wanted.node && !existsSync(join(root, wanted.node))) return `Node 22 for the tests is missing. ${install}`

  const file = wanted.steps.map(step => step.find(isFile)).find(path => path && !existsSync(join(root, path)))
  if (!file) return undefined
  if (file.startsWith('node_modules/')) return `The installation is incomplete (missing: ${file}). ${install}`
  return `The command '${name}' runs ${file}, which this checkout does not have.`
}

function isFile(argument) {
  return argument.indexOf('/') > 0
}

function isAtLeast(version, minimum) {
  const found = version.split('.').map(Number)
  const wanted = minimum.split('.').map(Number)
  for (let i = 0; i < wanted.length; i++) {
    if (found[i] !== wanted[i]) return found[i] > wanted[i]
  }
  return true
}

/** Runs the steps and ends this process as they ended; the first failure ends a command without `everyStep`. */
async function runSteps(running, extra) {
  const last = running.steps.length - 1
  const environment = childEnvironment(running.node)
  const node = running.node ? join(root, running.node) : process.execPath
  process.chdir(root)

  // In the place of this process, a server gets each signal once, from the terminal and from a supervisor alike.
  if (last === 0 && process.execve && process.platform !== 'win32') {
    process.execve(node, [node].concat(running.steps[0], extra), environment)
  }
  for (let i = 0; i <= last; i++) {
    const code = await runNode(node, i === last ? running.steps[i].concat(extra) : running.steps[i], environment)
    process.exitCode = process.exitCode || code
    if (code !== 0 && !running.everyStep) return
  }
}

function childEnvironment(otherNode) {
  const environment = Object.assign({}, process.env, { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' })
  // What Node has compiled once, of this project and its libraries: an oracle starts in half the time. Measurements do without.
  if (name !== 'bench' && !environment.NODE_COMPILE_CACHE) {
    environment.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/node')
  }
  // The compiler collects garbage a quarter as often, which is a good part of its work.
  if (!environment.GOGC) environment.GOGC = '400'
  if (otherNode) {
    environment.PATH = dirname(join(root, otherNode)) + delimiter + process.env.PATH
    // Node 22 warns of SQLite and of type stripping, which both are stable in 24.
    environment.NODE_OPTIONS = `${process.env.NODE_OPTIONS || ''} --disable-warning=ExperimentalWarning`.trim()
  }
  return environment
}

/** Runs node with the terminal of this process; resolves with its exit code. */
function runNode(node, args, environment) {
  return new Promise(resolve => {
    const child = spawn(node, args, { env: environment, stdio: 'inherit' })
    const forward = signal => child.kill(signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    child.on('error', error => {
      console.error(`Node could not be started: ${error.message}`)
      resolve(1)
    })
    child.on('close', (code, signal) => {
      for (const other of signals) process.off(other, forward)
      resolve(signal ? 128 + constants.signals[signal] : code)
    })
  })
}
