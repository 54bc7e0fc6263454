import type { Migrations } from '@sibyl/storage'

/** What whoever decides a question must hold. */
export const approvalAbilityMigrations: Migrations = {
  '0010-approval-abilities': async db => {
    await db.schema.alterTable('core_approvals').addColumn('abilities', 'text').execute()
  },
}
