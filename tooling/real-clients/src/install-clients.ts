import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Result of an installation: `unreachable` if the registry does not answer. */
export type Installation = 'present' | 'installed' | 'unreachable' | 'failed'

/** Without scripts and optional packages, which are native binaries that these tests do not need. */
const install = ['ci', '--ignore-scripts', '--omit=optional', '--prefer-offline', '--no-audit', '--no-fund']
const quickly = ['--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000']

/** Errors of npm that a registry causes by its answer. */
const answered = /^E(4\d\d|INTEGRITY|TARGET|NOVERSIONS)$/

/**
 * Installs the packages of a folder with npm, exactly as its lockfile lists them. Does nothing if that lockfile is installed.
 *
 * @param folder Contains `package.json` and `package-lock.json`.
 */
export const installClients = async (folder: string): Promise<Installation> => {
  const lockfile = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  // npm removes node_modules first, so that an interrupted installation leaves no mark.
  const mark = join(folder, 'node_modules/.installed-lockfile')
  if (readIfPresent(mark) === lockfile) return 'present'
  const { code } = await npm([...install, ...quickly], folder, 'inherit')
  if (code !== 0) return (await isReachable(folder)) ? 'failed' : 'unreachable'
  await writeFile(mark, lockfile)
  return 'installed'
}

/** Requests a package with the registry, proxy and certificates that npm uses. */
const isReachable = async (folder: string): Promise<boolean> => {
  const { dependencies } = manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  const [name = 'npm'] = Object.keys(dependencies)
  const { code, output } = await npm(['view', name, 'name', '--json', '--prefer-online', ...quickly], folder, 'pipe')
  return code === 0 || answered.test(failure.safeParse(parse(output)).data?.error.code ?? '')
}

const manifest = z.object({ dependencies: z.record(z.string(), z.string()) })
const failure = z.object({ error: z.object({ code: z.string() }) })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readIfPresent = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const npm = (args: readonly string[], cwd: string, stdio: 'inherit' | 'pipe') =>
  new Promise<{ code: number; output: string }>(resolve => {
    const child = spawn('npm', args, { cwd, stdio: ['ignore', stdio, stdio], shell: process.platform === 'win32' })
    let output = ''
    child.stdout?.on('data', data => {
      output += data
    })
    child.on('error', ({ message }) => resolve({ code: 1, output: message }))
    child.on('close', code => resolve({ code: code ?? 1, output }))
  })
