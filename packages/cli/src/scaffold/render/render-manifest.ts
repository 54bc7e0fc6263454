import type { PackageSource } from '../package-source.ts'
import { neededPackages } from '../packages/needed-packages.ts'
import type { ProjectFacts, ProjectFile } from '../project-facts.ts'
import type { PackageManager } from '../scaffold-answers.ts'
import type { Template } from '../template.ts'
import { packageName } from './package-name.ts'
import { renderJson } from './render-json.ts'

/** Where `package.json` finds a packed package. */
export const vendored = (fileName: string): string => `file:./vendor/${fileName}`

/** Renders the `package.json` of a project. */
export const renderManifest = ({ answers, packages }: ProjectFacts, template: Template): ProjectFile => {
  const { engines, scripts, dependencies, devDependencies } = template.manifest
  const chain = neededPackages(template, answers.network).filter(
    name => !(name in dependencies) && !(name in devDependencies),
  )
  const development = { ...devDependencies, ...Object.fromEntries(chain.map(name => [name, 'workspace:*'])) }
  return {
    path: 'package.json',
    content: renderJson({
      name: packageName(answers.folder, Object.keys({ ...dependencies, ...development })),
      version: '0.1.0',
      private: true,
      description: answers.profile.description,
      type: 'module',
      engines,
      scripts,
      dependencies: versions(dependencies, packages),
      devDependencies: versions(development, packages),
      ...overrides(packages, answers.packageManager),
    }),
  }
}

const versions = (dependencies: Readonly<Record<string, string>>, packages: PackageSource): Record<string, string> =>
  Object.fromEntries(
    Object.entries(dependencies)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, range]) => [name, range === 'workspace:*' ? versionOf(name, packages) : range]),
  )

const versionOf = (name: string, packages: PackageSource): string => {
  const file = packages.get(name)
  if (file === undefined) throw new Error(`no tarball of ${name} was found`)
  return vendored(file.fileName)
}

/** What packed packages need of each other must not be looked for elsewhere. pnpm has a file of its own for that. */
const overrides = (packages: PackageSource, manager: PackageManager): Record<string, unknown> => {
  if (manager === 'pnpm') return {}
  return { [manager === 'npm' ? 'overrides' : 'resolutions']: vendoredPackages(packages) }
}

/** Each packed package with where it is. */
export const vendoredPackages = (packages: PackageSource): Record<string, string> =>
  Object.fromEntries(
    [...packages]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { fileName }]) => [name, vendored(fileName)]),
  )
