import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cliErrors } from '../../errors/cli-errors.ts'
import { readTarballManifest, type TarballManifest } from './tarball-files.ts'

const maxFiles = 1000

/** File names of packers that need no quoting anywhere. */
const plainName = /^[\w@+-][\w.@+-]*\.tgz$/

/**
 * Selects, from a folder of packed packages, those that a project needs, with their own @sibyl dependencies.
 *
 * @param needed Names of `@sibyl/*`, each in the version `version`; without one in that of the newest core.
 * @returns the path of each by its name
 * @throws `configuration_invalid` that names every missing package with its version
 */
export const chooseTarballs = async (
  folder: string,
  needed: readonly string[],
  version: string | undefined,
): Promise<ReadonlyMap<string, string>> => {
  const tarballs = await readTarballs(folder)
  const newest = version ?? newestCore(tarballs.map(({ manifest }) => manifest))
  const chosen = new Map<string, string>()
  const missing = new Set<string>()
  const choose = (name: string, wanted: string) => {
    if (chosen.has(name)) return
    const found = tarballs.find(({ manifest }) => manifest.name === name && manifest.version === wanted)
    if (!found) return missing.add(`${name} ${wanted}`)
    chosen.set(name, found.path)
    for (const [dependency, range] of Object.entries(found.manifest.dependencies)) {
      if (dependency.startsWith('@sibyl/')) choose(dependency, range)
    }
  }
  for (const name of needed) choose(name, newest)
  if (missing.size === 0) return chosen
  throw cliErrors.configuration_invalid(
    `${folder} lacks ${[...missing].toSorted().join(', ')}.`,
    'Pack them in a checkout of Sibyl with: node scripts/pack-packages.mjs <folder>',
  )
}

const newestCore = (manifests: readonly TarballManifest[]): string => {
  const versions = manifests.filter(({ name }) => name === '@sibyl/core').map(({ version }) => version)
  return versions.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1) ?? ''
}

const readTarballs = async (folder: string): Promise<{ path: string; manifest: TarballManifest }[]> => {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    throw cliErrors.configuration_invalid(
      `The folder of packages ${folder} cannot be read (${cause.code}).`,
      'Set SIBYL_PACKAGES to a folder of tarballs, or unset it.',
      { cause },
    )
  })
  const paths = names
    .filter(name => plainName.test(name))
    .slice(0, maxFiles)
    .map(name => join(folder, name))
  const read = []
  // Sequentially: an archive may be large when unpacked.
  for (const path of paths) {
    const manifest = await readTarballManifest(path)
    if (manifest) read.push({ path, manifest })
  }
  return read
}
