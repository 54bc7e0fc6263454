import { posix } from 'node:path'
import { findPackages, parseModule } from '@sibyl/tooling-source'

/** Lists the test files near a file, the nearest first. */
export type NearTests = (file: string) => string[]

/**
 * Reads the imports of a checkout. A test is near a file if it imports it, directly or through others: tests of the same
 * package come first, then those with the fewest imports between. Tests of the package that start it as a process, and so
 * do not import it, come last.
 */
export const readNearTests = (root: string): NearTests => {
  const packages = findPackages(root)
  const entries = new Map(
    packages.flatMap(({ folder, manifest }) =>
      Object.entries(manifest.exports ?? {}).flatMap(([name, target]) => {
        const source = typeof target === 'string' ? target : target['sibyl-source']
        return source ? [[posix.join(manifest.name, name), posix.join(folder, source)] as const] : []
      }),
    ),
  )
  const importers = new Map<string, string[]>()
  const tests: string[] = []
  for (const { folder, files } of packages.filter(({ folder }) => /^(packages|examples)\//.test(folder))) {
    for (const { path, text } of files) {
      const file = posix.join(folder, path)
      if (file.endsWith('.test.ts')) tests.push(file)
      for (const { specifier } of parseModule(text, file).imports) {
        const target = specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : entries.get(specifier)
        if (target) importers.set(target, [...(importers.get(target) ?? []), file])
      }
    }
  }
  const folderOf = (file: string) =>
    packages.map(({ folder }) => `${folder}/`).findLast(folder => file.startsWith(folder))
  return file => {
    const distances = new Map([[file, 0]])
    for (const [reached, distance] of distances) {
      for (const importer of importers.get(reached) ?? []) {
        if (!distances.has(importer)) distances.set(importer, distance + 1)
      }
    }
    const own = folderOf(file)
    const rank = (test: string) =>
      (distances.get(test) ?? 1_000) +
      (folderOf(test) === own ? 0 : 100) -
      (posix.dirname(test) === posix.dirname(file) ? 0.5 : 0)
    return tests
      .filter(test => distances.has(test) || folderOf(test) === own)
      .toSorted((one, other) => rank(one) - rank(other))
  }
}
