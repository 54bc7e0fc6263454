import { createParser, type Parser, testFiles, type WorkspacePackage } from '@sibyl/tooling-source'
import { groupOfFolder, type PackageGroup } from './allowed-imports.ts'
import { packageName } from './package-name.ts'

/**
 * Finds the allowed imports that no source of their group needs.
 *
 * @param allowed The imports of each group; `any` has none to find.
 * @returns `oauth may import storage, and no source of it does.`
 */
export const findUnusedImports = (
  packages: readonly WorkspacePackage[],
  allowed: Readonly<Partial<Record<PackageGroup, readonly PackageGroup[] | 'any'>>>,
  parse: Parser = createParser(),
): string[] => {
  const groups = Map.groupBy(packages, ({ folder }) => groupOfFolder(folder))
  return Object.entries(allowed).flatMap(([group, targets]) =>
    targets === 'any'
      ? []
      : targets
          .filter(target => !importsAny(groups.get(group as PackageGroup), groups.get(target), parse))
          .map(target => `${group} may import ${target}, and no source of it does.`),
  )
}

const importsAny = (
  from: readonly WorkspacePackage[] = [],
  targets: readonly WorkspacePackage[] = [],
  parse: Parser,
): boolean => {
  const names = new Set(targets.map(({ manifest }) => manifest.name))
  return from.some(each => {
    const tests = testFiles(each, parse)
    return each.files.some(
      ({ path, text }) =>
        !tests.has(path) &&
        [...names].some(name => text.includes(name)) &&
        parse(text, path).imports.some(({ specifier }) => names.has(packageName(specifier))),
    )
  })
}
