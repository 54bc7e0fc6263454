import type { Logger, PersonalRecords } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import { recordOf } from './facts/fact-record.ts'
import { allFacts, type FactStore } from './facts/fact-store.ts'

/** The facts of people, as `host.people` reads and erases them. Both reject where a remote memory cannot be reached. */
export const memoryRecords = (store: FactStore, log: Pick<Logger, 'info'>): PersonalRecords => ({
  async export(did) {
    const facts: JsonValue[] = []
    for await (const page of allFacts(store, did)) facts.push(...page.map(fact => ({ ...recordOf(fact) })))
    return facts.length === 0 ? undefined : facts
  },
  async erase(did) {
    log.info('all facts of a person were forgotten', { facts: await store.forgetAll(did) })
  },
})
