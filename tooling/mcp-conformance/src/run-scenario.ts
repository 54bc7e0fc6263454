import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** The result of a scenario. */
export interface ScenarioResult {
  readonly scenario: string
  readonly passed: number
  /** The checks that failed and those that warn, each with what it says. */
  readonly faults: readonly { readonly check: string; readonly status: 'FAILURE' | 'WARNING'; readonly why: string }[]
  readonly ms: number
  /** The output of the program, for debugging. */
  readonly output: string
}

const checksSchema = z.array(
  z.object({
    id: z.string(),
    status: z.string(),
    errorMessage: z.string().optional(),
    description: z.string().optional(),
  }),
)

const require = createRequire(import.meta.url)
const kitFolder = dirname(require.resolve('@modelcontextprotocol/conformance/package.json'))
const kit = join(kitFolder, 'dist/index.js')
const program = fileURLToPath(new URL('client-program.ts', import.meta.url))

const versionSchema = z.object({ version: z.string() })

/** The version of the kit. */
export const kitVersion = (): string =>
  versionSchema.parse(JSON.parse(readFileSync(join(kitFolder, 'package.json'), 'utf8'))).version

/** The version of the SDK that the client is built on. */
export const sdkVersion = (): string => {
  const folder = dirname(dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/client'))))
  return versionSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).version
}

/** The names of all scenarios for clients. */
export const listScenarios = async (): Promise<readonly string[]> =>
  namesIn(await run([kit, 'list', '--client'], tmpdir()))

/** The names of all scenarios for servers. */
export const listServerScenarios = async (): Promise<readonly string[]> =>
  namesIn(await run([kit, 'list', '--server'], tmpdir()))

const namesIn = (listed: string): readonly string[] =>
  [...listed.matchAll(/^\s+- (\S+)/gm)].flatMap(([, name]) => name ?? [])

/** Runs one scenario of the kit against the client program. */
export const runScenario = (scenario: string): Promise<ScenarioResult> =>
  runKit(scenario, [
    ...['client', '--command', `${process.execPath} --conditions=sibyl-source ${program}`],
    // On a busy machine the program takes long to load.
    ...['--timeout', '80000'],
  ])

/** Runs one scenario of the kit against a server. */
export const runServerScenario = (scenario: string, url: string): Promise<ScenarioResult> =>
  runKit(scenario, ['server', '--url', url])

const runKit = async (scenario: string, args: readonly string[]): Promise<ScenarioResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
  const began = performance.now()
  try {
    const output = await run([kit, ...args, '--scenario', scenario, '-o', folder], folder)
    const [file] = globSync('**/checks.json', { cwd: folder })
    const checks = file ? checksSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))) : []
    const [stderr] = globSync('**/stderr.txt', { cwd: folder })
    return {
      scenario,
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
      faults: checks.flatMap(({ id, status, errorMessage, description }) =>
        status === 'FAILURE' || status === 'WARNING'
          ? [{ check: id, status, why: errorMessage ?? description ?? '' }]
          : [],
      ),
      ms: Math.round(performance.now() - began),
      output: output + (stderr ? readFileSync(join(folder, stderr), 'utf8') : ''),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const run = (args: readonly string[], cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
