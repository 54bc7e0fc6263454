import type { Host } from '@sibyl/core'
import { personMemory } from '@sibyl/protocol'
import { z } from 'zod'
import type { PersonalRecords } from '../customers/personal-records.ts'

const kind = 'ussd/forget-facts'

/**
 * What the memory keeps of callers, where there is one, by the pairwise DID of the phone. It is deleted by a job that the
 * erasure's transaction takes in, tried again for some hours where a remote memory is away.
 */
export const factRecords = ({
  identity,
  jobs,
  optionalService,
}: Pick<Host, 'identity' | 'jobs' | 'optionalService'>): readonly PersonalRecords[] => {
  const memory = optionalService(personMemory)
  if (!memory) return []
  const callerOf = (phoneNumber: string) => identity.pairwiseDid('ussd', phoneNumber)
  jobs.define(kind, z.object({ did: z.string() }), async ({ did }) => void (await memory.forget(did)), {
    maxAttempts: mostAttempts,
  })
  return [
    {
      name: 'rememberedFacts',
      async export(phoneNumber) {
        const facts = await memory.export(callerOf(phoneNumber))
        return facts.map(({ text, tags, createdAt, updatedAt }) => ({ text, tags: [...tags], createdAt, updatedAt }))
      },
      async erase(phoneNumber) {
        const did = callerOf(phoneNumber)
        return async tx => void (await jobs.enqueue(kind, { did }, { tx }))
      },
    },
  ]
}

/** With pauses that double from a second to an hour: about five hours. */
const mostAttempts = 16
