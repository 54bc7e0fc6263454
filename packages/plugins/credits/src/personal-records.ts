import { randomUUID } from 'node:crypto'
import { erasedMark, type PersonalRecords } from '@sibyl/plugin'
import { formatAmount, microOf } from './definitions/amounts.ts'
import type { CreditsStorage } from './ledger/credits-tables.ts'
import { allCharges } from './reading/read-charges.ts'

/**
 * Creates the personal records of the ledger. An erasure keeps amounts; a random pseudonym replaces the DID, and
 * operators' notes on grants are removed. A mark that the person had the first grant stays, so that an erasure does not
 * renew it.
 */
export const creditRecords = (storage: CreditsStorage): PersonalRecords => ({
  async export(did) {
    const row = await storage.read
      .selectFrom('credits_people')
      .select(['person', 'available', 'held'])
      .where('did', '=', did)
      .executeTakeFirst()
    if (!row) return undefined
    const grants = await storage.read
      .selectFrom('credits_grants')
      .select(['amount', 'reason', 'at'])
      .where('person', '=', row.person)
      .orderBy('at')
      .execute()
    return {
      balance: formatAmount(microOf(row.available) + microOf(row.held)),
      held: formatAmount(microOf(row.held)),
      grants: grants.map(({ amount, reason, at }) => ({
        at: new Date(at).toISOString(),
        credits: formatAmount(microOf(amount)),
        reason,
      })),
      charges: allCharges(storage, { did }),
    }
  },
  async erase(did) {
    await storage.write(
      async tx => {
        const row = await tx
          .updateTable('credits_people')
          .set({ did: `erased:${randomUUID()}` })
          .where('did', '=', did)
          .returning(['person', 'welcomed'])
          .executeTakeFirst()
        if (!row) return
        if (row.welcomed === 1)
          await tx
            .insertInto('credits_erased')
            .values({ mark: erasedMark(did) })
            .onConflict(conflict => conflict.doNothing())
            .execute()
        await tx.updateTable('credits_grants').set({ reason: '' }).where('person', '=', row.person).execute()
      },
      { isolation: 'read committed', scrub: true },
    )
  },
})
