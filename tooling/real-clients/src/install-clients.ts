import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Result of an installation. */
export type Installation = 'present' | 'installed' | 'failed'

/** Without scripts and optional packages, which are native binaries that these tests do not need. */
const install = ['ci', '--ignore-scripts', '--omit=optional', '--prefer-offline', '--no-audit', '--no-fund']
const quickly = ['--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000']

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
  if ((await npm([...install, ...quickly], folder)) !== 0) return 'failed'
  await writeFile(mark, lockfile)
  return 'installed'
}

const readIfPresent = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const npm = (args: readonly string[], cwd: string) =>
  new Promise<number | null>(resolve => {
    const child = spawn('npm', args, {
      cwd,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    })
    child.on('error', error => {
      console.error(error.message)
      resolve(1)
    })
    child.on('close', resolve)
  })
