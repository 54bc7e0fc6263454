import { erasedMark, isoTime, type PersonalRecords } from '@sibyl/plugin'
import { type Storage, sql } from '@sibyl/storage'
import { type CoreTables, rowByRow } from '../database/core-tables.ts'
import { countStored, storedBy } from '../database/count-stored.ts'
import { readJson } from '../database/stored-json.ts'

/**
 * The personal data in core besides sessions: delegations, grants, bearers, API keys, revocations and token counts. An erasure keeps
 * revocations, which apply until their tokens expire, and token counts, which budgets need, under the `erasedMark`.
 */
export const coreRecords = (storage: Pick<Storage<CoreTables>, 'read' | 'write'>): PersonalRecords => ({
  async export(did) {
    const [delegations, grants, bearers, apiKeys, revocations, tokens] = await Promise.all([
      ofPerson(storage.read, did).orderBy('created_at').execute(),
      storage.read
        .selectFrom('core_grants')
        .selectAll()
        .where(of => of.or([of('issuer', '=', did), of('audience', '=', did)]))
        .orderBy('created_at')
        .execute(),
      storage.read.selectFrom('core_bearers').selectAll().where('did', '=', did).orderBy('issued_at').execute(),
      storage.read.selectFrom('core_api_keys').selectAll().where('did', '=', did).orderBy('created_at').execute(),
      storage.read.selectFrom('core_revocations').selectAll().where('revoked_by', '=', did).execute(),
      storage.read.selectFrom('core_token_usage').selectAll().where('owner', '=', did).orderBy('day').execute(),
    ])
    if ([delegations, grants, bearers, apiKeys, revocations, tokens].every(({ length }) => length === 0))
      return undefined
    return {
      delegations: delegations.map(row => ({
        hash: row.hash,
        issuer: row.issuer,
        capabilities: readJson<{ resource: string; ability: string }[]>(row.capabilities, []),
        createdAt: isoTime(row.created_at),
        expiresAt: isoTime(row.expires_at),
      })),
      grants: grants.map(row => ({
        hash: row.hash,
        issuer: row.issuer,
        audience: row.audience,
        name: row.name,
        abilities: readJson<string[]>(row.abilities, []),
        createdAt: isoTime(row.created_at),
        expiresAt: isoTime(row.expires_at),
      })),
      bearers: bearers.map(row => ({
        scopes: readJson<string[]>(row.scopes, []),
        issuedAt: isoTime(row.issued_at),
        expiresAt: isoTime(row.expires_at),
      })),
      apiKeys: apiKeys.map(row => ({
        id: row.id,
        name: row.name,
        scopes: readJson<string[]>(row.scopes, []),
        createdAt: isoTime(row.created_at),
        expiresAt: isoTime(row.expires_at),
        lastUsedAt: row.last_used_at === null ? null : isoTime(row.last_used_at),
      })),
      revocations: revocations.map(row => ({ hash: row.hash, revokedAt: isoTime(row.revoked_at) })),
      tokens: tokens.map(row => ({ day: row.day, tokens: Number(row.tokens) })),
    }
  },
  async erase(did) {
    const mark = erasedMark(did)
    await storage.write(
      async tx => {
        await tx
          .deleteFrom('core_delegations')
          .where(of => of.or([of('did', '=', did), of('issuer', '=', did)]))
          .execute()
        await tx
          .deleteFrom('core_grants')
          .where(of => of.or([of('issuer', '=', did), of('audience', '=', did)]))
          .execute()
        await tx.deleteFrom('core_bearers').where('did', '=', did).execute()
        await tx.deleteFrom('core_api_keys').where('did', '=', did).execute()
        await tx.updateTable('core_revocations').set({ revoked_by: mark }).where('revoked_by', '=', did).execute()
        await tx.updateTable('core_revocations').set({ holder: mark }).where('holder', '=', did).execute()
        const stored = await storedBy(tx, did)
        if (stored) await countStored(tx, [{ did, bytes: -stored.bytes }])
        const counts = await tx.deleteFrom('core_token_usage').where('owner', '=', did).returningAll().execute()
        for (const { day, tokens } of counts) {
          await tx
            .insertInto('core_token_usage')
            .values({ day, owner: mark, tokens })
            .onConflict(conflict =>
              conflict
                .columns(['day', 'owner'])
                .doUpdateSet({ tokens: sql`core_token_usage.tokens + excluded.tokens` }),
            )
            .execute()
        }
      },
      { ...rowByRow, scrub: true },
    )
  },
})

const ofPerson = (read: Storage<CoreTables>['read'], did: string) =>
  read
    .selectFrom('core_delegations')
    .selectAll()
    .where(of => of.or([of('did', '=', did), of('issuer', '=', did)]))
