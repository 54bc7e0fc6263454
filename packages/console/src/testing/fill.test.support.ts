import { definePlugin, type OraclePlugin } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'

/** A plugin that fills tables of the core by SQL, at once. */
export interface Fill {
  readonly plugin: OraclePlugin
  /** Adds sessions of a user with titles `Conversation 1`, …, the last one the latest. */
  sessions(owner: string, count: number): Promise<void>
  /** Adds a session with messages of user and oracle, with texts `Message 1`, … */
  conversation(owner: string, id: string, count: number): Promise<void>
  /**
   * Adds copies of a row of SQLite.
   *
   * @param members Expressions of the members that differ, with the number of the copy as `n`; null leaves a member out.
   */
  copies(table: string, row: CopiedRow, members: Copied): Promise<void>
}

/** The row with a value, and how often it is copied. */
export interface CopiedRow {
  readonly column: string
  readonly value: string
  readonly count: number
}

/** Expressions by column. */
export type Copied = Readonly<Record<string, string | null>>

/** Creates the plugin. */
export const createFill = (): Fill => {
  let run: (<Row>(statement: ReturnType<typeof sql<Row>>) => Promise<{ readonly rows: readonly Row[] }>) | undefined
  const plugin = definePlugin({
    name: 'fill',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Fill', summary: 'Fills tables.', whenToUse: ['a test needs much data'], load: 'always' },
    setup: ({ storage }) => {
      run = statement => storage.write(tx => statement.execute(tx))
      return {}
    },
  })
  const numbers = (count: number) =>
    sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`
  return {
    plugin,
    async copies(table, { column, value, count }, members) {
      const columns = (await run?.(sql<{ readonly name: string }>`select name from pragma_table_info(${table})`))?.rows
      const copied = (columns ?? []).flatMap(({ name }) => (members[name] === null ? [] : [name]))
      await run?.(sql`
        insert into ${sql.table(table)} (${sql.join(copied.map(name => sql.ref(name)))})
        ${numbers(count)}
        select ${sql.join(copied.map(name => sql.raw(members[name] ?? name)))}
        from numbers cross join ${sql.table(table)} where ${sql.ref(column)} = ${value}`)
    },
    async sessions(owner, count) {
      await run?.(sql`
        insert into core_sessions
          (owner, id, title, loaded_plugins, approved_tools, first_turn, running_turn, created_at, updated_at)
        ${numbers(count)}
        select ${owner}, 'session-' || n, 'Conversation ' || n, '[]', '[]', '', null, 1700000000000 + n * 1000, 1700000000000 + n * 1000
        from numbers`)
    },
    async conversation(owner, id, count) {
      await run?.(sql`
        insert into core_sessions
          (owner, id, title, loaded_plugins, approved_tools, first_turn, running_turn, created_at, updated_at)
        values (${owner}, ${id}, 'A long conversation', '[]', '[]', '', null, 1800000000000, 1800000000000)`)
      await run?.(sql`
        insert into core_messages (owner, session_id, id, position, role, parts, metadata, turn_id, created_at)
        ${numbers(count)}
        select ${owner}, ${id}, 'message-' || n, n, iif(n % 2, 'user', 'assistant'),
          json_array(json_object('type', 'text', 'text', iif(n % 2, 'Message ' || n,
            'Message ' || n || ' with **Markdown**:' || char(10, 10) || '- one' || char(10) || '- two'))),
          json_object('sessionId', ${id}, 'outcome', 'done'), '', 1700000000000 + n
        from numbers`)
    },
  }
}
