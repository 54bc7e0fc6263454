import type { Host } from '@sibyl/plugin'
import { phoneChannel } from '@sibyl/protocol'
import { z } from 'zod'
import type { PhoneRecords } from './phone-records.ts'

const kind = 'ussd/erase-person'

/** With pauses that double from a second to an hour: about five hours. */
const mostAttempts = 16

/**
 * What the oracle and its other plugins keep of callers: conversations, what is remembered, what they prefer. It belongs to the
 * pairwise DID of the phone, which needs the signing key (`signing_key_missing`). It is erased by a job that the erasure's
 * transaction takes in, tried again for some hours where a part fails, such as a remote memory that is away.
 */
export const personRecords = ({ identity, people, jobs }: Pick<Host, 'identity' | 'people' | 'jobs'>): PhoneRecords => {
  const didOf = (phoneNumber: string) => identity.pairwiseDid(phoneChannel, phoneNumber)
  jobs.define(kind, z.object({ did: z.string() }), ({ did }) => people.erase(did), { maxAttempts: mostAttempts })
  return {
    name: 'person',
    async export(phoneNumber) {
      // What this plugin stores is in the export already.
      const { ussd: _own, ...others } = await people.export(didOf(phoneNumber))
      return others
    },
    async erase(phoneNumber) {
      const did = didOf(phoneNumber)
      return async tx => void (await jobs.enqueue(kind, { did }, { tx }))
    },
  }
}
