import type { Host } from '@sibyl/core'
import { z } from 'zod'
import type { PersonalRecords } from '../customers/personal-records.ts'

const kind = 'ussd/forget-conversations'

/**
 * What the agent's sessions keep of callers: they belong to the pairwise DID of the phone, which needs the signing key
 * (`signing_key_missing`). They are deleted by a job that the erasure's transaction takes in, a moment after it.
 */
export const conversationRecords = ({ identity, turns, jobs }: Pick<Host, 'identity' | 'turns' | 'jobs'>) => {
  const callerOf = (phoneNumber: string) => identity.pairwiseDid('ussd', phoneNumber)
  jobs.define(kind, z.object({ did: z.string() }), async ({ did }) => void (await turns.forget(did)))
  return {
    name: 'conversations',
    async export(phoneNumber) {
      const transcripts = await turns.transcripts(callerOf(phoneNumber))
      return transcripts.map(({ messages }) =>
        messages.map(({ at, ...words }) => ({ ...words, at: new Date(at).toISOString() })),
      )
    },
    async erase(phoneNumber) {
      const did = callerOf(phoneNumber)
      return async tx => void (await jobs.enqueue(kind, { did }, { tx }))
    },
  } satisfies PersonalRecords
}
