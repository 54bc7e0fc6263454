import type { OraclePlugin, PluginParts } from '@sibyl/plugin'
import { type Migration, sql } from '@sibyl/storage'

/** A plugin that exposes the result of its setup and the tables of its migrations. */
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
  const made = new Set<string>()
  const migrations = Object.entries(plugin.migrations).map(
    ([name, migrate]) =>
      [
        name,
        async (...[db, column]: Parameters<typeof migrate>) => {
          const before = await tablesIn(db)
          await migrate(db, column)
          for (const table of await tablesIn(db)) if (!before.includes(table)) made.add(table)
        },
      ] as const,
  )
  return {
    plugin: {
      ...plugin,
      migrations: Object.fromEntries(migrations),
      async setup(host) {
        const given = await plugin.setup(host)
        parts.resolve(given)
        return given
      },
    },
    parts: parts.promise,
    tables: parts.promise.then(() => [...made]),
  }
}

/** The tables of a SQLite database, without those that SQLite keeps for itself. */
const tablesIn = async (db: Parameters<Migration>[0]): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)
  return rows.map(({ name }) => name).filter(name => !name.startsWith('sqlite_'))
}
