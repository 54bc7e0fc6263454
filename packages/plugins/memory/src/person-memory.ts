import type { Logger } from '@sibyl/core'
import type { PersonMemory } from '@sibyl/protocol'
import { type FactRecord, recordOf } from './facts/fact-record.ts'
import { allFacts, type FactStore } from './facts/fact-store.ts'

/** What other plugins may ask of the memory. */
export const personMemoryOf = (store: FactStore, log: Pick<Logger, 'info'>): PersonMemory => ({
  async export(did) {
    const facts: FactRecord[] = []
    for await (const page of allFacts(store, did)) facts.push(...page.map(recordOf))
    return facts
  },
  async forget(did) {
    const facts = await store.forgetAll(did)
    log.info('all facts of a person were forgotten', { facts })
    return facts
  },
})
