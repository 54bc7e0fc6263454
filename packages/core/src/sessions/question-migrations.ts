import type { Migrations } from '@sibyl/storage'

/** What is kept of a question that a call asked in the midst of its work, and of what an approval is for. */
export const questionMigrations: Migrations = {
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
}
