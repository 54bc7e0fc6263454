import { type Clock, erasedMark, type PersonalRecords } from '@sibyl/plugin'
import { updateInParts } from '@sibyl/plugin/storage'
import type { entityDirectory, ServiceOf } from '@sibyl/protocol'
import type { CredentialsStorage } from './definitions/credentials-tables.ts'
import { scrubCredentials } from './issuing/scrub-credentials.ts'
import { recordOf } from './storage/credential-records.ts'
import type { CredentialStore } from './storage/credential-store.ts'

export interface PersonRecordsDependencies {
  readonly storage: CredentialsStorage
  readonly store: Pick<CredentialStore, 'list' | 'changes'>
  readonly directory: Pick<ServiceOf<typeof entityDirectory>, 'controlledBy'> | undefined
  readonly clock: Clock
}

/** Number of credentials that are read at a time. */
const pageSize = 200

/** Number of credentials that one write empties; the pause between writes lets other work run. */
const erasedAtOnce = 50
const inParts = { isolation: 'read committed', scrub: true, log: 'copied' } as const

/**
 * Creates the personal records: credentials about a person and about entities of the person. An erasure empties the
 * stored documents. Status, position and proof stay, so that the person's own copies and the status lists still verify.
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
      for (const subject of subjects) {
        for (let after = ''; ; ) {
          const rows = await storage.read
            .selectFrom('credentials_credentials')
            .select('id')
            .where('subject', '=', subject)
            .where('id', '>', after)
            .orderBy('id')
            .limit(erasedAtOnce)
            .execute()
          const last = rows.at(-1)
          if (!last) break
          const ids = rows.map(({ id }) => id)
          await storage.write(
            tx => scrubCredentials(ids, { at, ...(subject === did ? { subject: mark } : {}) }, tx),
            inParts,
          )
          after = last.id
        }
      }
      await updateInParts(storage, {
        table: 'credentials_credentials',
        key: ['id'],
        where: eb => eb('issued_by', '=', did),
        set: { issued_by: mark },
        scrub: true,
      })
      await updateInParts(storage, {
        table: 'credentials_changes',
        key: ['credential_id', 'number'],
        where: eb => eb('by', '=', did),
        set: { by: mark, reason: '' },
        scrub: true,
      })
      await storage.write(async () => {}, { scrub: true })
    },
  }
}
