import type { Access } from '../../session/access.ts'

/** Returns whether a plugin is on, as far as the user may see: the list of plugins requires `session/read`. */
export const mayBeOn = (access: Access, plugin: string): boolean =>
  access.capabilities.length === 0 || access.has(plugin)
