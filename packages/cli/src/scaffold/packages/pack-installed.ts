import { spawn } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { CommandIo } from '../../command-io.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { PackingFailedError } from '../../errors/packing-failed-error.ts'
import { parseJson } from '../../home/parse-json.ts'

const installedManifest = z.object({
  name: z.string().max(214),
  dependencies: z.record(z.string(), z.string()).default({}),
})

/** How much of the end of what a failed packing said is shown, in characters. */
const shownOutput = 2000

/**
 * Packs the packages of ours that are installed with this command, with npm and without a network, into a temporary folder.
 *
 * @param names the packages that the project depends on
 * @param use reads the tarballs; the folder is removed after it
 * @throws ConfigurationError (`configuration_invalid`) that names the packages that are not installed
 * @throws PackingFailedError (`packing_failed`)
 */
export const packInstalled = async <Result>(
  names: readonly string[],
  use: (folder: string) => Promise<Result>,
  env: CommandIo['env'],
  from: string = import.meta.dirname,
): Promise<Result> => {
  const installed = await findInstalled(from)
  const missing = names.filter(name => !installed.has(name))
  if (missing.length > 0) {
    throw new ConfigurationError(
      `Not installed with this command: ${missing.join(', ')}.`,
      'Install them beside it, or set SIBYL_PACKAGES to a folder of tarballs.',
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-packages-'))
  try {
    await npmPack([...installed.values()], folder, env)
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The folders of our packages that a package depends on, directly or through others of ours, and its own. */
const findInstalled = async (from: string): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const visit = async (folder: string): Promise<void> => {
    const manifest = await readManifest(folder)
    if (!manifest || found.has(manifest.name)) return
    found.set(manifest.name, folder)
    // The package of a chain is installed beside the command where it is needed.
    for (const name of [...Object.keys(manifest.dependencies), '@sibyl/registry-ixo']) {
      if (!name.startsWith('@sibyl/')) continue
      const dependency = await resolveFrom(folder, name)
      if (dependency !== undefined) await visit(dependency)
    }
  }
  const own = await ownFolder(from)
  if (own !== undefined) await visit(own)
  return found
}

const ownFolder = async (folder: string): Promise<string | undefined> => {
  if (await readManifest(folder)) return realpath(folder)
  const parent = dirname(folder)
  return parent === folder ? undefined : ownFolder(parent)
}

/** The folder that Node finds a package in, seen from another one. */
const resolveFrom = async (folder: string, name: string): Promise<string | undefined> => {
  const found = await realpath(join(folder, 'node_modules', name)).catch(() => undefined)
  if (found !== undefined) return found
  const parent = dirname(folder)
  return parent === folder ? undefined : resolveFrom(parent, name)
}

const readManifest = async (folder: string): Promise<z.infer<typeof installedManifest> | undefined> => {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : installedManifest.safeParse(parseJson(text)).data
}

const npmPack = (folders: readonly string[], into: string, env: CommandIo['env']): Promise<void> =>
  new Promise((resolve, reject) => {
    const options = ['--ignore-scripts', '--loglevel=error', '--offline', '--pack-destination', into]
    const shell = process.platform === 'win32'
    const child = spawn('npm', ['pack', ...options, ...folders], { env, shell, stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-shownOutput)
    })
    child.on('error', cause => reject(new PackingFailedError(`npm cannot be started: ${cause.message}`)))
    child.on('close', code => (code === 0 ? resolve() : reject(new PackingFailedError(output.trim()))))
  })
