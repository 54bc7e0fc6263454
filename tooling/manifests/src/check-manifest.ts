import type { Manifest, WorkspacePackage } from '@sibyl/tooling-source'

/**
 * Checks the common rules of packages: one version and license, a description, versions from the catalog, and exports that a published
 * package can keep.
 *
 * @returns One sentence per error.
 */
export const checkManifest = ({ manifest, folder }: WorkspacePackage, root: Manifest): string[] => [
  ...(manifest.version === root.version ? [] : [`${folder}: the version is not ${root.version}, as of all packages.`]),
  ...(manifest.license === 'Apache-2.0' ? [] : [`${folder}: the licence is not Apache-2.0.`]),
  ...(manifest.description ? [] : [`${folder}: the description is missing. AGENTS.md and npm show it.`]),
  ...dependencyViolations(folder, manifest),
  ...(manifest.private === true ? [] : publishViolations(folder, manifest, root)),
]

const dependencyViolations = (folder: string, manifest: Manifest): string[] =>
  Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
    .filter(([name, range]) => (name.startsWith('@sibyl/') ? range !== 'workspace:*' : !range.startsWith('catalog:')))
    .map(([name, range]) => `${folder}: '${name}' is '${range}'. Use catalog: or, for our own, workspace:*.`)

const publishViolations = (folder: string, manifest: Manifest, root: Manifest): string[] => [
  ...(manifest.engines?.node === root.engines?.node ? [] : [`${folder}: engines.node is not ${root.engines?.node}.`]),
  ...(isDeepEqual(withoutSource(manifest.exports), manifest.publishConfig?.exports)
    ? []
    : [`${folder}: publishConfig.exports is not exports without 'sibyl-source'.`]),
]

/** Returns exports without the condition for sources, which are not packed, and without entries for this workspace. */
const withoutSource = (exports: Manifest['exports']) =>
  exports &&
  Object.fromEntries(
    Object.entries(exports)
      .map(([entry, target]) => [entry, publishedTarget(target)] as const)
      .filter(([, target]) => typeof target === 'string' || Object.keys(target).length > 0),
  )

const publishedTarget = <Target>(target: Target): Target => {
  if (typeof target !== 'object' || target === null) return target
  const published = Object.entries(target).filter(([condition]) => condition !== 'sibyl-source')
  return Object.fromEntries(published.map(([condition, value]) => [condition, publishedTarget(value)])) as Target
}

const isDeepEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
