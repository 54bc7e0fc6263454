/** The package groups of the architecture, and the groups that the sources of each may import. */
export const allowedImports: Readonly<Record<PackageGroup, readonly PackageGroup[] | 'any'>> = {
  protocol: [],
  identity: [],
  storage: [],
  plugin: ['protocol', 'identity', 'storage'],
  models: ['plugin', 'protocol'],
  telemetry: ['plugin', 'protocol', 'storage'],
  core: ['models', 'telemetry', 'plugin', 'protocol', 'identity', 'storage'],
  operations: ['core', 'models', 'telemetry', 'plugin', 'protocol', 'storage'],
  testing: ['core', 'models', 'operations', 'plugin', 'identity', 'storage'],
  client: ['protocol', 'identity'],
  'mcp-client': ['protocol'],
  plugins: ['plugin', 'protocol', 'client', 'mcp-client'],
  adapters: ['plugin', 'protocol'],
  oauth: ['plugin', 'protocol', 'identity', 'client'],
  console: ['core', 'operations', 'plugin', 'protocol', 'identity', 'client', 'oauth', 'plugins'],
  bundle: ['plugins', 'adapters', 'oauth', 'console', 'operations', 'plugin'],
  'registry-ixo': ['protocol', 'identity', 'plugins'],
  cli: ['client', 'identity', 'bundle', 'core', 'plugin', 'plugins', 'protocol', 'registry-ixo', 'testing'],
  'create-sibyl': ['cli'],
  outside: 'any',
}

/** A package, or several with the same rules; `outside` are examples, benchmarks, tooling and the root. */
export type PackageGroup =
  | 'protocol'
  | 'identity'
  | 'storage'
  | 'plugin'
  | 'models'
  | 'telemetry'
  | 'core'
  | 'operations'
  | 'testing'
  | 'client'
  | 'mcp-client'
  | 'plugins'
  | 'adapters'
  | 'oauth'
  | 'console'
  | 'bundle'
  | 'registry-ixo'
  | 'cli'
  | 'create-sibyl'
  | 'outside'

/**
 * Returns the group of a package.
 *
 * @param folder Folder of the package, relative to the checkout.
 * @returns undefined for an undeclared folder of `packages/`
 */
export const groupOfFolder = (folder: string): PackageGroup | undefined => {
  if (!folder.startsWith('packages/')) return 'outside'
  if (/^packages\/plugins\/[^/]+$/.test(folder)) return 'plugins'
  if (/^packages\/adapters\/[^/]+$/.test(folder)) return 'adapters'
  const name = folder.slice('packages/'.length)
  return name !== 'plugins' && name !== 'adapters' && name !== 'outside' && Object.hasOwn(allowedImports, name)
    ? (name as PackageGroup)
    : undefined
}

/** Returns whether the sources of one group may import another. */
export const mayImport = (from: PackageGroup, to: PackageGroup): boolean => {
  const allowed = allowedImports[from]
  return allowed === 'any' || allowed.includes(to)
}
