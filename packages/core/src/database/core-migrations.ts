import { type Migrations, sql } from '@sibyl/storage'
import { alertMigrations } from './alert-tables.ts'
import {
  apiKeyMigrations,
  authMigrations,
  bearerGrantMigrations,
  delegationHolderMigrations,
  revocationCountMigrations,
} from './auth-migrations.ts'
import { keyHistoryMigrations } from './key-history-tables.ts'
import { peopleMigrations } from './people-tables.ts'
import { rateLimitMigrations } from './rate-limit-migrations.ts'
import { tokenUsageMigrations, usageByHolderMigrations } from './token-usage-migrations.ts'
import { turnTimingMigrations } from './turn-timing-tables.ts'

/** Core's tables, version by version. */
export const coreMigrations: Migrations = {
  '0001-sessions-and-turns': async (db, { storedByKey }) => {
    await db.schema
      .createTable('core_sessions')
      .addColumn('owner', 'text', column => column.notNull())
      .addColumn('id', 'text', column => column.notNull())
      .addColumn('title', 'text', column => column.notNull())
      .addColumn('loaded_plugins', 'text', column => column.notNull())
      .addColumn('approved_tools', 'text', column => column.notNull())
      .addColumn('first_turn', 'text', column => column.notNull())
      .addColumn('running_turn', 'text')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('updated_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('core_sessions_key', ['owner', 'id'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('core_sessions_recent').on('core_sessions').columns(['owner', 'updated_at']).execute()
    await db.schema
      .createTable('core_messages')
      .addColumn('owner', 'text', column => column.notNull())
      .addColumn('session_id', 'text', column => column.notNull())
      .addColumn('id', 'text', column => column.notNull())
      .addColumn('position', 'integer', column => column.notNull())
      .addColumn('role', 'text', column => column.notNull())
      .addColumn('parts', 'text', column => column.notNull())
      .addColumn('metadata', 'text', column => column.notNull())
      .addColumn('turn_id', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('core_messages_key', ['owner', 'session_id', 'id'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema
      .createTable('core_turns')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('owner', 'text', column => column.notNull())
      .addColumn('session_id', 'text', column => column.notNull())
      .addColumn('message_key', 'text')
      .addColumn('answer_id', 'text', column => column.notNull())
      .addColumn('channel', 'text', column => column.notNull())
      .addColumn('actor', 'text', column => column.notNull())
      .addColumn('text', 'text', column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('code', 'text')
      .addColumn('usage', 'text', column => column.notNull())
      .addColumn('process_id', 'text', column => column.notNull())
      .addColumn('admitted', 'integer', column => column.notNull())
      .addColumn('heartbeat_at', 'bigint', column => column.notNull())
      .addColumn('reader_seen_at', 'bigint', column => column.notNull())
      .addColumn('followed_at', 'bigint', column => column.notNull())
      .addColumn('stop_requested', 'integer', column => column.notNull())
      .addColumn('hooks_called', 'integer', column => column.notNull())
      .addColumn('started_at', 'bigint', column => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addUniqueConstraint('core_turns_message', ['owner', 'session_id', 'message_key'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema
      .createIndex('core_turns_open')
      .on('core_turns')
      .columns(['hooks_called', 'status'])
      .where('hooks_called', '=', sql.lit(0))
      .execute()
    await db.schema
      .createTable('core_turn_events')
      .addColumn('turn_id', 'text', column => column.notNull())
      .addColumn('first_id', 'integer', column => column.notNull())
      .addColumn('body', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('core_turn_events_key', ['turn_id', 'first_id'])
      .modifyEnd(storedByKey)
      .execute()
    await db.schema.createIndex('core_turn_events_age').on('core_turn_events').column('created_at').execute()
    await db.schema
      .createTable('core_tool_calls')
      .addColumn('idempotency_key', 'text', column => column.primaryKey())
      .addColumn('turn_id', 'text', column => column.notNull())
      .addColumn('tool_call_id', 'text', column => column.notNull())
      .addColumn('tool', 'text', column => column.notNull())
      .addColumn('input', 'text', column => column.notNull())
      .addColumn('state', 'text', column => column.notNull())
      .addColumn('output', 'text')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .execute()
    await db.schema.createIndex('core_tool_calls_turn').on('core_tool_calls').column('turn_id').execute()
    await db.schema
      .createTable('core_approvals')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('owner', 'text', column => column.notNull())
      .addColumn('session_id', 'text', column => column.notNull())
      .addColumn('turn_id', 'text', column => column.notNull())
      .addColumn('tool_call_id', 'text', column => column.notNull())
      .addColumn('tool', 'text', column => column.notNull())
      .addColumn('input', 'text', column => column.notNull())
      .addColumn('question', 'text', column => column.notNull())
      .addColumn('state', 'text', column => column.notNull())
      .addColumn('data', 'text')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('decided_at', 'bigint')
      .addColumn('taken_up_by', 'text')
      .execute()
    await db.schema
      .createIndex('core_approvals_session')
      .on('core_approvals')
      .columns(['owner', 'session_id', 'state'])
      .execute()
    await db.schema
      .createTable('core_spent_nonces')
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .addColumn('hash', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('core_spent_nonces_key', ['expires_at', 'hash'])
      .modifyEnd(storedByKey)
      .execute()
  },
  ...authMigrations,
  ...tokenUsageMigrations,
  ...rateLimitMigrations,
  ...keyHistoryMigrations,
  '0006-questions': async db => {
    await db.schema
      .alterTable('core_approvals')
      .addColumn('kind', 'text', column => column.notNull().defaultTo('approval'))
      .execute()
    for (const name of ['call_turn_id', 'answer_schema', 'approval_data']) {
      await db.schema.alterTable('core_approvals').addColumn(name, 'text').execute()
    }
  },
  '0007-approval-scope': async db => {
    await db.schema.alterTable('core_approvals').addColumn('approval_scope', 'text').execute()
  },
  '0010-bound-calls': async db => {
    for (const name of ['held_by', 'decided_by']) {
      await db.schema.alterTable('core_approvals').addColumn(name, 'text').execute()
    }
  },
  '0012-decision-reason': async db => {
    await db.schema.alterTable('core_approvals').addColumn('decision_reason', 'text').execute()
  },
  '0013-client-calls': async db => {
    await db.schema
      .createIndex('core_approvals_client')
      .on('core_approvals')
      .column('created_at')
      .where(sql.ref('kind'), '=', sql.lit('client'))
      .where(sql.ref('state'), '=', sql.lit('open'))
      .execute()
  },
  '0008-turn-model-and-tools': async db => {
    for (const name of ['model', 'tools']) {
      await db.schema.alterTable('core_turns').addColumn(name, 'text').execute()
    }
  },
  ...bearerGrantMigrations,
  '0010-approval-abilities': async db => {
    await db.schema.alterTable('core_approvals').addColumn('abilities', 'text').execute()
  },
  ...usageByHolderMigrations,
  ...peopleMigrations,
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
  ...delegationHolderMigrations,
  ...revocationCountMigrations,
  ...apiKeyMigrations,
  '0014-lists-of-the-operator': async db => {
    await db.schema.createIndex('core_sessions_activity').on('core_sessions').columns(['updated_at', 'owner']).execute()
    await db.schema
      .createIndex('core_approvals_pending')
      .on('core_approvals')
      .columns(['owner', 'created_at', 'id'])
      .where(sql.ref('state'), '=', sql.lit('open'))
      .where(sql.ref('kind'), '!=', sql.lit('client'))
      .execute()
  },
  ...turnTimingMigrations,
  ...alertMigrations,
  '0023-approvals-by-age': async db => {
    await db.schema
      .createIndex('core_approvals_age')
      .on('core_approvals')
      .columns(['created_at', 'id'])
      .where(sql.ref('state'), '=', sql.lit('open'))
      .where(sql.ref('kind'), '!=', sql.lit('client'))
      .execute()
  },
}
