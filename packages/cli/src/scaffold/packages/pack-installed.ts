import { cp, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { parseJson } from '@sibyl/protocol'
import { create } from 'tar'
import { z } from 'zod'
import { cliErrors } from '../../errors/cli-errors.ts'
import { findUpward } from '../../process/find-upward.ts'

const installedManifest = z.object({
  name: z.string().max(214),
  version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
  dependencies: z.record(z.string(), z.string()).default({}),
})

interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
}

/**
 * Packs the @sibyl packages that are installed with this command into a temporary folder.
 *
 * @param names the packages that the project depends on
 * @param use reads the tarballs; the folder is removed after it
 * @throws `configuration_invalid` that names the packages that are not installed
 */
export const packInstalled = async <Result>(
  names: readonly string[],
  use: (folder: string) => Promise<Result>,
  from: string = import.meta.dirname,
): Promise<Result> => {
  const installed = await findInstalled(from)
  const missing = names.filter(name => !installed.has(name))
  if (missing.length > 0) {
    throw cliErrors.configuration_invalid(
      `Not installed with this command: ${missing.join(', ')}.`,
      'Install them as well, or set SIBYL_PACKAGES to a folder of tarballs.',
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-packages-'))
  try {
    for (const one of installed.values()) await pack(one, folder)
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the folders of the @sibyl packages that a package depends on, directly or indirectly, and its own. */
const findInstalled = async (from: string): Promise<ReadonlyMap<string, InstalledPackage>> => {
  const found = new Map<string, InstalledPackage>()
  const visit = async (folder: string): Promise<void> => {
    const manifest = await readManifest(folder)
    if (!manifest || found.has(manifest.name)) return
    found.set(manifest.name, { name: manifest.name, version: manifest.version, folder })
    // The package of a chain is installed next to the command if needed.
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

const ownFolder = (folder: string): Promise<string | undefined> =>
  findUpward(folder, async one => ((await readManifest(one)) ? realpath(one) : undefined))

/** Returns the folder of a package, as Node resolves it from another folder. */
const resolveFrom = (folder: string, name: string): Promise<string | undefined> =>
  findUpward(folder, one => realpath(join(one, 'node_modules', name)).catch(() => undefined))

const readManifest = async (folder: string): Promise<z.infer<typeof installedManifest> | undefined> => {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : installedManifest.safeParse(parseJson(text)).data
}

/** Packs a package like a package manager, without its installed dependencies; the same files give the same bytes. */
const pack = async ({ name, version, folder }: InstalledPackage, into: string): Promise<void> => {
  const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  // A store hard-links equal files; in an archive they would be links, which package managers drop.
  const copied = join(into, 'package')
  const filter = (path: string) => !relative(folder, path).split(sep).includes('node_modules')
  await cp(folder, copied, { recursive: true, filter })
  const entries = (await readdir(copied)).toSorted()
  await create(
    { cwd: copied, file: join(into, file), gzip: true, portable: true, noMtime: true, prefix: 'package' },
    entries,
  )
  await rm(copied, { recursive: true })
}
