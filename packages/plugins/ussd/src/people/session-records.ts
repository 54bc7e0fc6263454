import type { Vault } from '@sibyl/plugin/sealing'
import type { RowOf, sessionTable, UssdStorage } from '../storage/ussd-tables.ts'
import { inParts, openedOrUndefined } from '../storage/value-lists.ts'
import type { PhoneRecords } from './phone-records.ts'

/** Number of sessions per read, so that other work continues in between. */
const pageSize = 500

/** Returns the stored sessions of a phone: time, provider and code. Input and replies are omitted. */
export const sessionRecords = (storage: UssdStorage, vault: Vault): PhoneRecords => {
  const phoneOf = ({ key, phone }: Session & { readonly phone: string }): string | undefined =>
    openedOrUndefined(() => vault.open(phone, `ussd_sessions.phone:${key}`))

  /** Sessions have no column for the phone, which keeps writes of moves small: all rows are scanned. */
  const ofPhone = async (phoneNumber: string) => {
    const found: Session[] = []
    for (let after = ''; ; ) {
      const page = await storage.read
        .selectFrom('ussd_sessions')
        .select(['key', 'phone', 'provider', 'session_id', 'service_code', 'status', 'born_at', 'updated_at'])
        .where('key', '>', after)
        .orderBy('key')
        .limit(pageSize)
        .execute()
      found.push(...page.filter(row => phoneOf(row) === phoneNumber))
      const last = page.at(-1)
      if (!last) return found
      after = last.key
      await new Promise(resume => setImmediate(resume))
    }
  }

  return {
    name: 'sessions',
    async export(phoneNumber) {
      const sessions = await ofPhone(phoneNumber)
      return sessions.map(session => ({
        sessionId: session.session_id,
        provider: session.provider,
        serviceCode: session.service_code,
        status: session.status,
        beganAt: new Date(session.born_at).toISOString(),
        lastUsedAt: new Date(session.updated_at).toISOString(),
      }))
    },
    async erase(phoneNumber) {
      const keys = (await ofPhone(phoneNumber)).map(({ key }) => key)
      return async tx => {
        for (const some of inParts(keys)) await tx.deleteFrom('ussd_sessions').where('key', 'in', some).execute()
      }
    },
  }
}

type Session = Pick<
  RowOf<typeof sessionTable>,
  'key' | 'session_id' | 'provider' | 'service_code' | 'status' | 'born_at' | 'updated_at'
>
