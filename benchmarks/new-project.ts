// What it takes to begin: the command's start, a new project, and the way from packed packages to an answer, beside
// create-vite and create-hono where they do the same. Takes what is built; needs the npm registry, or npm's cache.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { median } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 15)
const work = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))

/** Result of the packed flow: locations of the packages and the command. */
interface Flow {
  readonly steps: readonly {
    readonly name: string
    readonly ok: boolean
    readonly seconds: number
    readonly megabytes?: number
  }[]
  readonly work: string
  readonly packages: string
  readonly tool: string
}

/** One program under measurement. */
interface Candidate {
  readonly name: string
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const runFlow = (): Flow => {
  const report = join(work, 'flow.json')
  const script = join(import.meta.dirname, '../scripts/packed-flow.mjs')
  const managers = (process.env.BENCH_MANAGERS ?? 'npm,pnpm,yarn').split(',')
  spawnSync(process.execPath, [script, '--built', '--keep', ...managers], {
    env: { ...process.env, SIBYL_TEST_REPORT: report },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return JSON.parse(readFileSync(report, 'utf8')) as Flow
}

/** The file that a package of this workspace runs. */
const binOf = (name: string): string => {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> }
  return join(dirname(manifest), typeof bin === 'string' ? bin : (bin[name] ?? ''))
}

const runOnce = ({ name, command, env }: Candidate): number => {
  const { NODE_COMPILE_CACHE: _, ...inherited } = process.env
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, command, {
    cwd: work,
    env: { ...inherited, CI: '1', XDG_CACHE_HOME: join(work, 'cache'), SIBYL_HOME: join(work, 'home'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`)
  return performance.now() - began
}

/** Runs each in turn, round after round; the first round does not count. */
const sideBySide = (title: string, candidates: (round: number) => readonly Candidate[]): void => {
  const figures = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round += 1) {
    for (const candidate of candidates(round)) {
      const milliseconds = runOnce(candidate)
      if (round > 0) figures.set(candidate.name, [...(figures.get(candidate.name) ?? []), milliseconds])
    }
  }
  console.log(`${title}, medians of ${rounds} interleaved rounds`)
  for (const [name, values] of figures) {
    console.log(`  ${name.padEnd(34)} ${median(values).toFixed(0).padStart(5)} ms`)
  }
}

const flow = runFlow()
try {
  const sibyl = join(flow.tool, 'node_modules/@sibyl/cli/dist/bin.js')
  if (!existsSync(sibyl)) throw new Error('The command was not packed or installed: node scripts/packed-flow.mjs')
  const uncached = { NODE_DISABLE_COMPILE_CACHE: '1' }
  const [vite, hono] = [binOf('create-vite'), binOf('create-hono')]
  sideBySide('--help', () => [
    { name: 'Node itself', command: ['--eval', '0'] },
    { name: 'sibyl', command: [sibyl, '--help'] },
    { name: 'sibyl, nothing compiled before', command: [sibyl, '--help'], env: uncached },
    { name: 'create-vite', command: [vite, '--help'] },
    { name: 'create-hono', command: [hono, '--help'] },
  ])

  const packed = { SIBYL_PACKAGES: flow.packages }
  const made = (round: number, kind: string) => `project-${kind}-${round}`
  sideBySide('a new project, without install', round => {
    const newOracle = [sibyl, 'new', made(round, 'sibyl'), '--yes', '--no-git']
    return [
      { name: 'sibyl new', command: [...newOracle, '--no-register'], env: packed },
      {
        name: 'sibyl new, registered on a devnet',
        command: [sibyl, 'new', made(round, 'registered'), '--yes', '--no-git'],
        env: packed,
      },
      { name: 'create-vite, vanilla-ts', command: [vite, made(round, 'vite'), '--template', 'vanilla-ts'] },
    ]
  })
  for (const kind of ['sibyl', 'vite']) {
    const files = readdirSync(join(work, made(0, kind)), { recursive: true, withFileTypes: true })
    console.log(`  ${kind} wrote ${files.filter(file => file.isFile()).length} files`)
  }
  console.log('  create-hono fetches its templates from GitHub: not measured')

  console.log('from packed packages to an answer')
  for (const { name, ok, seconds, megabytes } of flow.steps) {
    const size = megabytes === undefined ? '' : `${megabytes.toFixed(1).padStart(8)} MB`
    console.log(`  ${name.padEnd(34)} ${seconds.toFixed(1).padStart(5)} s${size}${ok ? '' : '   FAILED'}`)
  }
} finally {
  for (const folder of [work, flow.work]) rmSync(folder, { recursive: true, force: true })
}
