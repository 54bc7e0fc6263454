import { type Clock, erasedMark, type PersonalRecords } from '@sibyl/core'
import type { EntityDirectory } from '@sibyl/protocol'
import { recordOf } from './credential-records.ts'
import { scrubCredentials } from './issuing/scrub-credentials.ts'
import type { CredentialStore } from './storage/credential-store.ts'
import type { CredentialsStorage } from './storage/credentials-tables.ts'

/** Dependencies of the personal records. */
export interface PersonRecordsDependencies {
  readonly storage: CredentialsStorage
  readonly store: Pick<CredentialStore, 'list' | 'changes'>
  readonly directory: Pick<EntityDirectory, 'controlledBy'> | undefined
  readonly clock: Clock
}

/** How many credentials are read at a time. */
const pageSize = 200

/**
 * The credentials about a person and about the entities that they control. An erasure empties the stored documents; status,
 * place and proof stay, so that the person's own copies and the status lists verify as before.
 */
export const personRecords = ({ storage, store, directory, clock }: PersonRecordsDependencies): PersonalRecords => {
  const subjectsOf = async (did: string): Promise<readonly string[]> => [
    did,
    ...((await directory?.controlledBy(did)) ?? []),
  ]
  return {
    async export(did) {
      const records: ReturnType<typeof recordOf>[] = []
      for (const subject of await subjectsOf(did)) {
        for (let before: string | undefined; ; ) {
          const page = await store.list({ subject }, pageSize, before)
          for (const stored of page) records.push(recordOf(stored, await store.changes(stored.id)))
          before = page.at(-1)?.id
          if (page.length < pageSize) break
        }
      }
      return records.length === 0 ? undefined : records
    },
    async erase(did) {
      const mark = erasedMark(did)
      const at = clock.now()
      const subjects = await subjectsOf(did)
      await storage.write(
        async tx => {
          for (const subject of subjects) {
            const rows = await tx
              .selectFrom('credentials_credentials')
              .select('id')
              .where('subject', '=', subject)
              .execute()
            const ids = rows.map(({ id }) => id)
            await scrubCredentials(ids, { at, ...(subject === did ? { subject: mark } : {}) }, tx)
          }
          await tx
            .updateTable('credentials_credentials')
            .set({ issued_by: mark })
            .where('issued_by', '=', did)
            .execute()
          await tx.updateTable('credentials_changes').set({ by: mark, reason: '' }).where('by', '=', did).execute()
        },
        { isolation: 'read committed', scrub: true },
      )
    },
  }
}
