import { type Migrations, sql } from '@sibyl/plugin/storage'

export const taskMigrations: Migrations = {
  '0001-tasks': async (db, { text, integer, timestamp, json }) => {
    await db.schema
      .createTable('tasks_people')
      .addColumn('did', text, column => column.primaryKey())
      .execute()
    await db.schema
      .createTable('tasks_tasks')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('owner', text, column => column.notNull())
      .addColumn('what', text, column => column.notNull())
      .addColumn('context', text, column => column.notNull())
      .addColumn('remind', integer, column => column.notNull())
      .addColumn('schedule', json, column => column.notNull())
      .addColumn('time_zone', text, column => column.notNull())
      .addColumn('session', text)
      .addColumn('deliver', json, column => column.notNull())
      .addColumn('scopes', json, column => column.notNull())
      .addColumn('state', text, column => column.notNull())
      .addColumn('next_at', timestamp)
      .addColumn('planned_at', timestamp, column => column.notNull())
      .addColumn('failures', integer, column => column.notNull())
      .addColumn('stop_reason', text)
      .addColumn('create_key', text, column => column.notNull())
      .addColumn('create_hash', text, column => column.notNull())
      .addColumn('created_at', timestamp, column => column.notNull())
      .addColumn('ended_at', timestamp)
      .addUniqueConstraint('tasks_tasks_key', ['owner', 'create_key'])
      .execute()
    await db.schema.createIndex('tasks_tasks_state').on('tasks_tasks').columns(['state', 'next_at']).execute()
    await db.schema
      .createTable('tasks_runs')
      .addColumn('id', text, column => column.primaryKey())
      .addColumn('task', text, column => column.notNull())
      .addColumn('owner', text, column => column.notNull())
      .addColumn('due_at', timestamp, column => column.notNull())
      .addColumn('state', text, column => column.notNull())
      .addColumn('late', integer, column => column.notNull())
      .addColumn('manual', integer, column => column.notNull())
      .addColumn('attempt', integer, column => column.notNull())
      .addColumn('text', text, column => column.notNull())
      .addColumn('code', text)
      .addColumn('message', text)
      .addColumn('deliveries', json, column => column.notNull())
      .addColumn('started_at', timestamp, column => column.notNull())
      .addColumn('ended_at', timestamp)
      .addColumn('told', integer, column => column.notNull())
      .addUniqueConstraint('tasks_runs_due', ['task', 'due_at'])
      .execute()
    await db.schema.createIndex('tasks_runs_open').on('tasks_runs').columns(['told', 'started_at']).execute()
    await db.schema.createIndex('tasks_runs_owner').on('tasks_runs').column('owner').execute()
  },
  '0002-makers': async (db, { json }) => {
    await db.schema.alterTable('tasks_tasks').addColumn('maker', json).execute()
  },
  '0003-holders': async (db, { text }) => {
    for (const name of ['holder', 'origin']) await db.schema.alterTable('tasks_tasks').addColumn(name, text).execute()
    await sql`update tasks_tasks set holder = owner`.execute(db)
    await db.schema.createIndex('tasks_tasks_shares').on('tasks_tasks').columns(['state', 'holder', 'origin']).execute()
  },
  '0004-tasks-by-age': async db => {
    await db.schema.createIndex('tasks_tasks_age').on('tasks_tasks').columns(['created_at', 'id']).execute()
  },
}
