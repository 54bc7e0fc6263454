import { sql } from 'kysely'
import type { OraclePlugin, PluginParts } from '../plugins/oracle-plugin.ts'

/** A plugin that tells what its setup gave back and which tables its migrations made. */
export interface CapturedPlugin {
  readonly plugin: OraclePlugin
  /** Resolves once it is set up. */
  readonly parts: Promise<PluginParts>
  /** Resolves once it is set up: the tables that its own migrations made. */
  readonly tables: Promise<readonly string[]>
}

/** Wraps a plugin so that a test can look at its parts. */
export const capture = (plugin: OraclePlugin): CapturedPlugin => {
  const parts = Promise.withResolvers<PluginParts>()
  const before: string[] = []
  const after: string[] = []
  const migrations = Object.entries(plugin.migrations).map(
    ([name, migrate]) =>
      [
        name,
        async (...[db, column]: Parameters<typeof migrate>) => {
          const list = async () =>
            (await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)).rows.map(
              row => row.name,
            )
          before.push(...(await list()))
          await migrate(db, column)
          after.push(...(await list()))
        },
      ] as const,
  )
  return {
    plugin: {
      ...plugin,
      migrations: Object.fromEntries(migrations),
      async setup(host) {
        const made = await plugin.setup(host)
        parts.resolve(made)
        return made
      },
    },
    parts: parts.promise,
    tables: parts.promise.then(() =>
      [...new Set(after)].filter(table => !before.includes(table) || before.length === 0),
    ),
  }
}
