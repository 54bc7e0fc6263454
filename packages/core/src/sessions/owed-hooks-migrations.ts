import { type Migrations, sql } from '@sibyl/storage'

/** What is stored of `after` hooks that failed, until they succeed. */
export const owedHooksMigrations: Migrations = {
  '0009-owed-hooks': async db => {
    await db.schema.alterTable('core_turns').addColumn('hooks_done', 'text').execute()
    for (const [name, type] of [
      ['hooks_tries', 'integer'],
      ['hooks_due_at', 'bigint'],
      ['removed', 'integer'],
    ] as const) {
      await db.schema
        .alterTable('core_turns')
        .addColumn(name, type, column => column.notNull().defaultTo(0))
        .execute()
    }
    await db.schema
      .createIndex('core_turns_owed')
      .on('core_turns')
      .columns(['hooks_called', 'hooks_due_at'])
      .where('hooks_called', '=', sql.lit(0))
      .execute()
  },
}
