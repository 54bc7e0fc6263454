import type { Host, PersonalRecords } from '@sibyl/plugin'
import { phoneChannel } from '@sibyl/plugin/phones'
import { z } from 'zod'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import type { PhonePeople } from './phone-people.ts'
import { exportRecords, type PhoneRecords, prepareErasure } from './phone-records.ts'

const kind = 'ussd/erase-person'

/** With delays that double from a second to an hour: about five hours. */
const maxAttempts = 16

/**
 * Returns the records of the oracle and its other plugins for the phone's pairwise DID, which requires the signing key
 * (`signing_key_missing`). A job erases them, and retries for several hours if a part fails, such as a remote memory.
 */
export const personRecords = ({ identity, people, jobs }: Pick<Host, 'identity' | 'people' | 'jobs'>): PhoneRecords => {
  const didOf = (phoneNumber: string) => identity.pairwiseDid(phoneChannel, phoneNumber)
  jobs.define(kind, z.object({ did: z.string() }), ({ did }) => people.erase(did), { maxAttempts })
  return {
    name: 'person',
    async export(phoneNumber) {
      // The export already contains this plugin's records.
      const { ussd: _own, ...others } = await people.export(didOf(phoneNumber))
      return others
    },
    async erase(phoneNumber) {
      const did = didOf(phoneNumber)
      await people.assertErasable(did)
      return async tx => void (await jobs.enqueue(kind, { did }, { tx }))
    },
  }
}

/**
 * Returns this plugin's records of a person by the DID of their phone; operator routes find the same records by number.
 */
export const ussdRecords = (
  storage: UssdStorage,
  people: Pick<PhonePeople, 'phoneOf'>,
  records: readonly PhoneRecords[],
): PersonalRecords => ({
  async export(did) {
    const phoneNumber = await people.phoneOf(did)
    if (phoneNumber === undefined) return undefined
    return exportRecords(records, phoneNumber)
  },
  async erase(did) {
    const phoneNumber = await people.phoneOf(did)
    if (phoneNumber === undefined) return
    await storage.write(await prepareErasure(records, phoneNumber), { scrub: true })
  },
})
