// From packed packages to an oracle that answers, on the way of somebody who has npm and nothing else: pack, new, install,
// a plugin of its own, check, test, boot, chat, stop, deploy, in a folder with a space and an umlaut.
//   node scripts/packed-flow.mjs [--built] [--quick] [--keep] [npm] [pnpm] [yarn]
// --built uses dist as it is, --quick leaves out the restore of a backup. SIBYL_TEST_REPORT names a file for a report: each step with its seconds and megabytes, and how many
// passed and failed. With --keep the folder stays, and the report has the paths of the packages and the command.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { killEverything, start, within } from './ci/run.mjs'
import { firstAnswer, freePort } from './ci/start-oracle.mjs'
import { deploySteps } from './deploy-flow.mjs'

/** `skips` names steps that are the same with all package managers, and run with another one. */
const managers = {
  npm: {
    command: ['npm'],
    sibyl: ['npx', '--no', 'sibyl'],
    maker: ['create-sibyl'],
    template: 'weather',
    skips: ['new by the project, install', 'inside another server', 'upgrade on the server', 'two on PostgreSQL'],
  },
  pnpm: {
    command: ['npx', '--prefer-offline', '-y', 'pnpm@12'],
    maker: ['sibyl', 'new'],
    template: 'twins',
    server: 'dev',
    skips: ['backup, restore'],
  },
  yarn: {
    command: ['npx', '--prefer-offline', '-y', '@yarnpkg/cli-dist@4.18.1'],
    maker: ['sibyl', 'new'],
    template: 'ussd',
  },
}
const { values, positionals } = parseArgs({
  options: { built: { type: 'boolean' }, quick: { type: 'boolean' }, keep: { type: 'boolean' } },
  allowPositionals: true,
})
const wanted = positionals.length > 0 ? positionals : ['npm', 'pnpm']
if (wanted.some(name => !Object.hasOwn(managers, name))) {
  console.error(`Which package managers? There are: ${Object.keys(managers).join(', ')}.`)
  process.exit(2)
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const work = mkdtempSync(join(tmpdir(), 'sibyl gepäckt '))
const packages = join(work, 'packages')
const tool = join(work, 'tool')
const environment = makeEnvironment()
/** A Node of this computer that is too old for a project; undefined without one. */
const older = findOlderNode()
/** Settings of the services that run on their own threads and read files of packages. */
const embedded = {
  SANDBOX_MCP_URL: 'embedded:',
  FIRECRAWL_MCP_URL: 'embedded:',
  FIRECRAWL_ALLOW_PRIVATE: 'localhost',
}
const steps = []

process.on('exit', () => {
  killEverything()
  if (!values.keep) rmSync(work, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

if ((await packing()) && (await installTool())) for (const name of wanted) await flow(name, managers[name])

const failed = steps.filter(({ ok }) => !ok).length
const total = { numPassedTests: steps.length - failed, numFailedTests: failed, steps, work, packages, tool }
const { SIBYL_TEST_REPORT: report } = process.env
if (report) writeFileSync(report, JSON.stringify(total))
console.log(`\n${total.numPassedTests} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function packing() {
  return step('pack', async () => {
    await run([
      process.execPath,
      join(root, 'scripts/pack-packages.mjs'),
      packages,
      ...(values.built ? ['--built'] : []),
    ])
    for (const file of readdirSync(packages)) {
      const listed = await run(['tar', '-tzf', join(packages, file)])
      if (!listed.split('\n').includes('package/LICENSE')) throw new Error(`${file} has no LICENSE`)
    }
    return megabytes(packages)
  })
}

/** Installs the packages that `npm create sibyl` fetches. */
async function installTool() {
  return step('install the command', async () => {
    const files = readdirSync(packages).map(file => [nameOf(file), `file:${join(packages, file)}`])
    const ours = Object.fromEntries(files.filter(([name]) => name !== '@sibyl/registry-ixo'))
    mkdirSync(tool)
    writeFileSync(
      join(tool, 'package.json'),
      JSON.stringify({ private: true, dependencies: ours, overrides: ours }, undefined, 2),
    )
    await run(['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: tool })
    return megabytes(join(tool, 'node_modules'))
  })
}

/** Everything with one package manager, up to the first step that fails. */
async function flow(
  name,
  { command, maker: [maker, ...before], template, server = 'start', sibyl = [...command, 'sibyl'], skips = [] },
) {
  const cwd = join(work, `Örakel ${name}`)
  const made = [...before, cwd, '--yes', '--package-manager', name, '--template', template, '--name', 'Örakel "1"']
  const port = await freePort()
  let oracle
  const all = [
    ['new', () => run([join(tool, 'node_modules/.bin', maker), ...made], { cwd: work })],
    ['install', () => run([...command, 'install'], { cwd }).then(() => megabytes(join(cwd, 'node_modules')))],
    [
      'new by the project, install',
      async () => {
        const second = `${cwd} 2`
        await run([...sibyl, 'new', second, '--yes', '--no-register', '--package-manager', name], { cwd })
        await run([...command, 'install'], { cwd: second })
      },
    ],
    ['plugin new', () => run([...sibyl, 'plugin', 'new', 'tides'], { cwd })],
    ['upgrade, check, test', () => upgrade(sibyl, cwd)],
    ...(older === undefined ? [] : [['an older Node', () => refusedBy(older, command, cwd)]]),
    [
      'boot',
      async () => {
        oracle = await boot([...command, 'run', server], cwd, port)
      },
    ],
    [
      'chat',
      async () => {
        const said = await run([...sibyl, 'chat', '--once', 'What can you do?'], { cwd, port })
        if (!said.includes('I am the offline model')) throw new Error(`the answer is another one: ${said}`)
      },
    ],
    [
      'code, skills, pages',
      async () => {
        const asked = [
          ['Run this code: 6 * 7', '42'],
          ['What skills are there?', 'field-survey'],
          [`Read http://localhost:${port}/docs`, 'says:'],
        ]
        for (const [text, answer] of asked) {
          const said = await run([...sibyl, 'chat', '--once', text], { cwd, port })
          if (!said.includes(answer)) throw new Error(`the answer to '${text}' is another one: ${said}`)
        }
      },
    ],
    ['stop', () => oracle.stop()],
  ]
  const isTaken = ([what]) => !skips.includes(what) && !(values.quick && what === 'backup, restore')
  for (const [what, work] of all.filter(isTaken)) {
    if (!(await step(`${name}: ${what}`, work))) return oracle?.stop().catch(() => {})
  }
  const deployed = deploySteps({ name, command, sibyl, cwd, run, path: environment.PATH })
  for (const [what, work] of deployed.steps.filter(isTaken)) if (!(await step(`${name}: ${what}`, work))) break
  await deployed.end()
}

function findOlderNode() {
  const nodes = (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, 'node'))
  return nodes.find(node => {
    const { stdout = '' } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    const [major = 0, minor = 0] = (stdout ?? '').trim().replace('v', '').split('.').map(Number)
    return major >= 20 && (major < 22 || (major === 22 && minor < 18))
  })
}

/** An older Node neither makes, tests nor starts a project, and each names the version that is needed. */
async function refusedBy(node, command, cwd) {
  const bin = join(work, 'older')
  rmSync(bin, { recursive: true, force: true })
  mkdirSync(bin)
  symlinkSync(node, join(bin, 'node'))
  const path = [bin, environment.PATH].join(delimiter)
  const sibyl = join(tool, 'node_modules/.bin/sibyl')
  for (const args of [
    [sibyl, 'new', `${cwd} 3`, '--yes', '--no-register'],
    [...command, 'test'],
    [...command, 'start'],
  ]) {
    const said = await run(args, { cwd, path }).then(
      output => ({ output, ok: true }),
      error => ({ output: error.message, ok: false }),
    )
    if (said.ok || !/needs 22\.\d+ or later/.test(said.output)) throw new Error(`${args.join(' ')}: ${said.output}`)
  }
}

/** Renews the packages of a project, which has a plugin of its own, by those of the next minor version. */
async function upgrade(sibyl, cwd) {
  const said = await run([...sibyl, 'upgrade', '--json'], { cwd, packages: await nextMinor(), seconds: 300 })
  const { ranges, passed } = JSON.parse(said.slice(said.indexOf('{')))
  const changed = ranges.map(({ path, to }) => `${path} ${to}`)
  if (!changed.includes('src/plugins/tides.ts ^0.2.0')) throw new Error(`the range of tides is not renewed: ${said}`)
  if (!existsSync(join(cwd, 'node_modules/@sibyl/cli/dist/docs/guide/index.md'))) throw new Error('there is no guide')
  if (passed.join() !== 'check,test') throw new Error(`check and test did not run: ${said}`)
  const core = readFileSync(join(cwd, 'node_modules/@sibyl/core/package.json'), 'utf8')
  if (JSON.parse(core).version !== '0.2.0') throw new Error('core 0.2.0 is not installed')
}

/** Packs the packages as 0.2.0; returns their folder. */
async function nextMinor() {
  const folder = join(work, 'newer')
  if (existsSync(folder)) return folder
  mkdirSync(folder)
  for (const file of readdirSync(packages)) {
    await run(['tar', '-xzf', join(packages, file), '-C', folder])
    for (const path of globSync('package/{package.json,dist/**/*.js}', { cwd: folder })) {
      const text = readFileSync(join(folder, path), 'utf8')
      const renewed = text.replaceAll(/\b0\.1\.0\b/g, '0.2.0')
      if (renewed !== text) writeFileSync(join(folder, path), renewed)
    }
    await run(['tar', '-czf', join(folder, file.replace('-0.1.0.tgz', '-0.2.0.tgz')), '-C', folder, 'package'])
    rmSync(join(folder, 'package'), { recursive: true })
  }
  return folder
}

/** Does one step, and says how it went and how long it took. */
async function step(name, work) {
  const began = performance.now()
  const { ok, size, why } = await work().then(
    size => ({ ok: true, size: typeof size === 'number' ? size : undefined }),
    error => ({ ok: false, why: error.message }),
  )
  const seconds = (performance.now() - began) / 1000
  steps.push({ name, ok, seconds, megabytes: size })
  const facts = [`${seconds.toFixed(1).padStart(6)} s`, size === undefined ? '' : `${size.toFixed(1).padStart(7)} MB`]
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(27)}${facts.join('')}${ok ? '' : `\n${why}`}`)
  return ok
}

/** Runs a command to its end; what it wrote, or an error with it. */
async function run([program, ...args], { cwd = root, seconds = 120, port, packages, path = environment.PATH } = {}) {
  let output = ''
  const { ended, stop } = start([program, ...args], {
    cwd,
    environment: {
      ...environment,
      PATH: path,
      SIBYL_PACKAGES: packages,
      PORT: port === undefined ? undefined : String(port),
    },
    onOutput: text => {
      output += text
    },
  })
  const how = await within(seconds, ended)
  if (how === undefined) await stop(5)
  if (how !== 'exit code 0') throw new Error(`${how ?? `not done after ${seconds} s`}\n${output.slice(-3000)}`)
  return output
}

/** Starts the oracle of a project, and waits until it answers. */
async function boot(command, cwd, port) {
  let output = ''
  const oracle = start(command, {
    cwd,
    environment: { ...environment, ...embedded, PORT: String(port) },
    onOutput: text => {
      output += text
    },
  })
  const state = await Promise.race([firstAnswer(`http://127.0.0.1:${port}/health`, 30), oracle.ended])
  if (state !== 'healthy') throw new Error(`${state}\n${output.slice(-3000)}`)
  return {
    async stop() {
      const { ok, why } = await oracle.stop(15)
      if (!ok) throw new Error(why)
      if ((await firstAnswer(`http://127.0.0.1:${port}/health`, 0.1)) === 'healthy') throw new Error('it still answers')
    },
  }
}

/** Returns the environment of a user's shell: the Node of this workspace, without variables of the calling package manager. */
function makeEnvironment() {
  const bin = join(work, 'bin')
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  const inherited = Object.keys(process.env).filter(
    name =>
      /^npm_(lifecycle|package|command|execpath|node_execpath|config_user_agent)/.test(name) ||
      ['INIT_CWD', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'SIBYL_URL', 'CI'].includes(name),
  )
  return {
    ...Object.fromEntries(inherited.map(name => [name, undefined])),
    PATH: [bin, process.env.PATH].join(delimiter),
    SIBYL_HOME: join(work, 'home'),
    SIBYL_PACKAGES: undefined,
    NO_COLOR: '1',
    // Without an audit of each installation, and without requests for packages that npm already has.
    ...{ npm_config_audit: 'false', npm_config_prefer_offline: 'true' },
  }
}

function nameOf(file) {
  return file.replace(/-\d+\.\d+\.\d+\.tgz$/, '').replace(/^sibyl-/, '@sibyl/')
}

function megabytes(folder) {
  const { stdout } = spawnSync('du', ['-sk', folder], { encoding: 'utf8' })
  return Number(stdout.split('\t')[0]) / 1000
}
