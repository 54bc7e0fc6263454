import { posix } from 'node:path'
import type { WorkspacePackage } from '@sibyl/tooling-source'

/** The folders a tsconfig.json refers to, relative to the checkout; undefined where there is none. */
export type ReferencesOf = (folder: string) => readonly string[] | undefined

/**
 * Checks that `tsc -b` at the root compiles every package, each after those it depends on.
 *
 * @returns One sentence a fault.
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
