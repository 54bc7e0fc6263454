import { posix } from 'node:path'
import type { WorkspacePackage } from '@sibyl/tooling-source'

/** Returns the folders that a tsconfig.json refers to, relative to the checkout; undefined if it does not exist. */
export type ReferencesOf = (folder: string) => readonly string[] | undefined

/**
 * Checks that `tsc -b` at the root compiles every package, each after its dependencies.
 *
 * @returns One sentence per error.
 */
export const checkReferences = (packages: readonly WorkspacePackage[], referencesOf: ReferencesOf): string[] => {
  const folders = new Map(packages.map(({ folder, manifest }) => [manifest.name, folder]))
  const compiled = packages.filter(({ folder, files }) => folder !== '.' && files.length > 0)

  const unlisted = compiled
    .filter(({ folder }) => !referencesOf('.')?.includes(folder))
    .map(({ folder }) => `tsconfig.json does not refer to ${folder}.`)

  const unordered = compiled.flatMap(({ folder, manifest }) => {
    const references = referencesOf(folder)
    if (!references) return [`${folder} has no tsconfig.json.`]
    return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies })
      .map(name => folders.get(name))
      .filter(target => target !== undefined && !references.includes(target))
      .map(
        target => `${posix.join(folder, 'tsconfig.json')} does not refer to ${target}, which the package depends on.`,
      )
  })
  return [...unlisted, ...unordered]
}
