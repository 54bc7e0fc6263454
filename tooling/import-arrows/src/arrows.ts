/** The rooms of the architecture, and which rooms the sources of each may import. */
export const arrows: Readonly<Record<Room, readonly Room[] | 'any'>> = {
  protocol: [],
  identity: ['protocol'],
  storage: [],
  plugin: ['protocol', 'identity', 'storage'],
  models: ['plugin', 'protocol'],
  telemetry: ['plugin', 'protocol', 'storage'],
  core: ['models', 'telemetry', 'plugin', 'protocol', 'identity', 'storage'],
  testing: ['core', 'models', 'plugin', 'protocol', 'identity', 'storage'],
  client: ['protocol', 'identity'],
  explorer: ['plugin', 'protocol'],
  'mcp-client': ['protocol'],
  plugins: ['plugin', 'protocol', 'mcp-client', 'explorer'],
  adapters: ['plugin', 'protocol'],
  oauth: ['plugin', 'protocol', 'identity', 'client'],
  bundle: ['plugins', 'adapters', 'oauth', 'plugin'],
  'registry-ixo': ['protocol', 'identity'],
  cli: ['client', 'identity', 'bundle', 'core', 'plugin', 'protocol', 'registry-ixo', 'testing'],
  'create-sibyl': ['cli'],
  outside: 'any',
}

/** A room; `outside` are examples, benchmarks, tooling and the root. */
export type Room =
  | 'protocol'
  | 'identity'
  | 'storage'
  | 'plugin'
  | 'models'
  | 'telemetry'
  | 'core'
  | 'testing'
  | 'client'
  | 'explorer'
  | 'mcp-client'
  | 'plugins'
  | 'adapters'
  | 'oauth'
  | 'bundle'
  | 'registry-ixo'
  | 'cli'
  | 'create-sibyl'
  | 'outside'

/**
 * The room of a package.
 *
 * @param folder Of the package, relative to the checkout.
 * @returns undefined below `packages/` where no room is drawn.
 */
export const roomOfFolder = (folder: string): Room | undefined => {
  if (!folder.startsWith('packages/')) return 'outside'
  if (/^packages\/plugins\/[^/]+$/.test(folder)) return 'plugins'
  if (/^packages\/adapters\/[^/]+$/.test(folder)) return 'adapters'
  const name = folder.slice('packages/'.length)
  return name !== 'plugins' && name !== 'adapters' && name !== 'outside' && Object.hasOwn(arrows, name)
    ? (name as Room)
    : undefined
}

/** Whether the sources of one room may import another. */
export const isDrawn = (from: Room, to: Room): boolean => {
  const drawn = arrows[from]
  return drawn === 'any' || drawn.includes(to)
}
