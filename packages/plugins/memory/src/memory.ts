import { definePlugin, type Host, type Logger, type PersonalRecords, personalAbility } from '@sibyl/plugin'
import type { JsonValue } from '@sibyl/protocol'
import { embeddedMemory } from './embedded/embedded-memory.ts'
import { memoryMigrations } from './embedded/memory-migrations.ts'
import type { MemoryTables } from './embedded/memory-tables.ts'
import { recordOf } from './facts/fact.ts'
import { allFacts, type FactStore } from './facts/fact-store.ts'
import { manifest } from './manifest.ts'
import { type MemoryEnv, memoryEnv } from './memory-env.ts'
import { memoryRoutes } from './memory-routes.ts'
import { memoryTools } from './memory-tools.ts'
import { rememberedFacts } from './remembered-facts.ts'
import { remoteMemory } from './remote/remote-memory.ts'

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

/** How the plugin works, where its variables do not say. */
export interface MemoryOptions {
  /** Milliseconds that facts may take to be looked up for a turn, which goes on without them then. @default 800 */
  readonly lookUpLimitMs?: number
}

/**
 * Remembers what people tell the oracle, and finds it again.
 *
 * @example
 * await createOracleApp({ config, plugins: [memory()] })
 */
export const memory = ({ lookUpLimitMs }: MemoryOptions = {}) =>
  definePlugin<typeof memoryEnv, MemoryTables>({
    name: 'memory',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: memoryEnv,
    optIn: ['MEMORY_MCP_URL'],
    migrations: memoryMigrations,
    setup(host) {
      const { env, log, clock } = host
      const { MEMORY_MCP_URL: url, MEMORY_ENGINE_URL: engineUrl, MEMORY_MCP_TOKEN: token } = env
      const { MEMORY_MCP_TOOLS: tools, MEMORY_FACTS_PER_PERSON: factsPerPerson } = env
      if (url === undefined || url === 'embedded:') {
        const store = embeddedStore(host)
        return partsOf(host, { store, own: store }, lookUpLimitMs)
      }
      const remote = remoteMemory(
        { background: host.background, log, clock },
        { url, engineUrl, token, tools, factsPerPerson },
      )
      const { state, reason, close } = remote.service
      return { ...partsOf(host, remote, lookUpLimitMs), state, reason, dispose: close }
    },
  })

const embeddedStore = ({ storage, clock, env }: Host<MemoryEnv, MemoryTables>): FactStore =>
  embeddedMemory({ storage, clock, factsPerPerson: env.MEMORY_FACTS_PER_PERSON })

/** What the agent and the person get of the facts. @param own what the person sees and deletes */
const partsOf = (
  { env, log, clock }: Host<MemoryEnv, MemoryTables>,
  { store, own }: { readonly store: FactStore; readonly own: FactStore },
  limitMs: number | undefined,
) => ({
  tools: memoryTools({ store, log }),
  instructions: {
    ability: ['memory/read', personalAbility],
    forTurn: rememberedFacts({ store, log, clock, maxTokens: env.MEMORY_PROMPT_TOKENS, limitMs }),
  },
  routes: memoryRoutes({ store: own, log, clock }),
  personalRecords: memoryRecords(own, log),
})
