import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import type { Manifest, ModuleFacts, WorkspacePackage } from '@sibyl/tooling-source'
import { groupOfFolder, mayImport } from './allowed-imports.ts'
import { packageName } from './package-name.ts'
import type { Violation } from './violation.ts'

/** A package under check, and what is around it. */
export interface PackageInWorkspace {
  readonly from: WorkspacePackage
  /** The files of the package that serve its tests alone. */
  readonly tests: ReadonlySet<string>
  /** The files of the package that its build bundles with all that they import, such as the script of a web page. */
  readonly bundled: ReadonlySet<string>
  /** Every package by name. */
  readonly packages: ReadonlyMap<string, WorkspacePackage>
  /** The root, whose development dependencies every test may use. */
  readonly root: Manifest
}

/**
 * Checks the imports of one file of a package: allowed packages, declared dependencies, and no path out of its package.
 */
export const checkImports = (context: PackageInWorkspace, path: string, module: ModuleFacts): Violation[] => {
  const file = posix.join(context.from.folder, path)
  return module.imports.flatMap(({ specifier, line }) => {
    const message = specifier.startsWith('.')
      ? relativeViolation(context, path, specifier)
      : packageViolation(context, path, specifier)
    return message === undefined ? [] : [{ file, line, message }]
  })
}

const relativeViolation = ({ tests }: PackageInWorkspace, path: string, specifier: string): string | undefined => {
  const target = posix.join(posix.dirname(path), specifier)
  if (target.startsWith('../'))
    return `imports '${specifier}', which leaves its package. Import the other package by name.`
  return tests.has(target) && !tests.has(path) ? `imports '${specifier}', which is for tests alone.` : undefined
}

const packageViolation = (context: PackageInWorkspace, path: string, specifier: string): string | undefined => {
  const { from, packages } = context
  if (isBuiltin(specifier))
    return specifier.startsWith('node:') ? undefined : `imports '${specifier}': write 'node:${specifier}'.`
  const name = packageName(specifier)
  const isTest = context.tests.has(path)
  if (name === from.manifest.name) return isTest ? undefined : `imports its own package '${name}'. Use a relative path.`
  if (!isDeclared(context, name, path)) {
    return `imports '${name}', which ${isTest ? 'its' : 'the dependencies of its'} package.json does not declare.`
  }
  if (specifier === '@sibyl/plugin/host' && !isTest && forAuthors.test(from.folder)) return hostViolation
  const target = packages.get(name)
  return target && !isTest ? groupViolation(from, target) : undefined
}

/** Plugins, templates and examples: authors of plugins read them. The plugin `mcp` runs the servers of others. */
const forAuthors = /^(?:packages\/plugins\/(?!mcp$)|templates\/|examples\/)/

const hostViolation =
  "imports '@sibyl/plugin/host', which is for packages that run plugins. Import from '@sibyl/plugin'."

const groupViolation = (from: WorkspacePackage, target: WorkspacePackage): string | undefined => {
  const [group, targetGroup] = [groupOfFolder(from.folder), groupOfFolder(target.folder)]
  if (!group) return `is in ${from.folder}, an undeclared folder. Add it to tooling/import-arrows.`
  return targetGroup && mayImport(group, targetGroup)
    ? undefined
    : `imports '${target.manifest.name}': the architecture has no dependency from ${group} to ${targetGroup ?? target.folder}.`
}

const isDeclared = ({ root, from, tests, bundled }: PackageInWorkspace, name: string, path: string): boolean => {
  const isTest = tests.has(path)
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta, devDependencies } = from.manifest
  // npm requests an optional peer from its registry, unless only the second member names it.
  const published = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...peerDependenciesMeta }
  const development = { ...devDependencies, ...(isTest ? root.devDependencies : {}) }
  return (
    Object.hasOwn(published, name) ||
    ((isTest || bundled.has(path) || from.manifest.private === true) && Object.hasOwn(development, name))
  )
}
