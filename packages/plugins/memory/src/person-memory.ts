import type { PersonMemory } from '@sibyl/protocol'
import { type FactRecord, recordOf } from './facts/fact-record.ts'
import { allFacts, type FactStore } from './facts/fact-store.ts'

/** What other plugins may ask of the memory. */
export const personMemoryOf = (store: FactStore): PersonMemory => ({
  async export(did) {
    const facts: FactRecord[] = []
    for await (const page of allFacts(store, did)) facts.push(...page.map(recordOf))
    return facts
  },
  forget: did => store.forgetAll(did),
})
