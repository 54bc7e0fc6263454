import { basename } from 'node:path'
import { plainLetters } from '../../output/format.ts'
import type { PackageManager } from '../../package-manager/detect-package-manager.ts'
import type { PackageSource, ProjectFile, SourceFacts } from '../answers/project-facts.ts'
import { driverOf } from '../answers/tenant-database.ts'
import { neededPackages } from '../packages/needed-packages.ts'
import type { Template } from '../packages/template.ts'

/** Returns the specifier of a packed package in the form that npm saves: another form would conflict with `overrides`. */
export const vendored = (fileName: string): string => `file:vendor/${fileName}`

export const renderManifest = ({ answers, packages, needsNode }: SourceFacts, template: Template): ProjectFile => {
  const { engines, scripts, dependencies, devDependencies } = template.manifest
  const chain = neededPackages(template, answers.network).filter(
    name => !(name in dependencies) && !(name in devDependencies),
  )
  const development = {
    ...devDependencies,
    ...(needsNode ? { node: process.versions.node } : {}),
    ...Object.fromEntries(chain.map(name => [name, 'workspace:*'])),
  }
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
      dependencies: versions({ ...dependencies, ...driverOf(answers.tenant) }, packages),
      devDependencies: versions(development, packages),
      ...overrides(packages, answers.packageManager),
      ...(needsNode && answers.packageManager === 'npm' ? { allowScripts: { node: true } } : {}),
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

/** Returns overrides, so that packed packages resolve each other in `vendor/`. pnpm has a separate file for that. */
const overrides = (packages: PackageSource, manager: PackageManager): Record<string, unknown> => {
  if (manager === 'pnpm') return {}
  return { [manager === 'npm' ? 'overrides' : 'resolutions']: vendoredPackages(packages) }
}

const vendoredPackages = (packages: PackageSource): Record<string, string> =>
  Object.fromEntries(
    [...packages]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { fileName }]) => [name, vendored(fileName)]),
  )

export const renderJson = (value: unknown, indent = '  '): string => `${JSON.stringify(value, undefined, indent)}\n`

const longest = 100

/**
 * A name that every package manager takes, from that of the project's folder: `Ärzte & Wetter` gives `arzte-wetter`.
 *
 * @param taken Names that would lead to the project itself: those of its dependencies.
 */
export const packageName = (folder: string, taken: readonly string[]): string => {
  const name = plainLetters(basename(folder))
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, longest)
    .replace(/[._-]+$/, '')
  if (name === '') return 'oracle'
  return [...taken, 'node_modules', 'favicon.ico'].includes(name) ? `${name}-oracle` : name
}

/** Renders what a package manager reads besides `package.json`, where it needs that. */
export const renderManagerFiles = (facts: SourceFacts): ProjectFile[] => {
  const { packageManager } = facts.answers
  if (packageManager === 'npm') return []
  if (packageManager === 'yarn') {
    return [
      { path: '.yarnrc.yml', content: 'nodeLinker: node-modules\n' },
      // Without it yarn treats the project as part of one in a parent folder.
      { path: 'yarn.lock', content: '' },
    ]
  }
  const content = renderWorkspace(facts)
  return content === '' ? [] : [{ path: 'pnpm-workspace.yaml', content }]
}

const renderWorkspace = ({ answers, packages, needsNode }: SourceFacts): string => {
  const vendored = Object.entries(vendoredPackages(packages))
  const overrides = vendored.map(([name, file]) => `  "${name}": "${file}"\n`)
  // A dependency of the chain's package prints a notice when it is installed, and pnpm asks whether it may.
  const builds = `${answers.network === 'devnet' ? '' : '  protobufjs: false\n'}${needsNode ? '  node: true\n' : ''}`
  return `${overrides.length > 0 ? `overrides:\n${overrides.join('')}` : ''}${builds === '' ? '' : `allowBuilds:\n${builds}`}`
}
