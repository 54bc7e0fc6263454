import { definePlugin, type Host, type Logger, type PersonalRecords, personalAbility, unlessNone } from '@sibyl/plugin'
import { embeddedMemory } from './embedded/embedded-memory.ts'
import type { MemoryTables } from './embedded/memory-tables.ts'
import { memoryMigrations } from './embedded/memory-tables.ts'
import { recordOf } from './facts/fact.ts'
import { allFacts, type FactStore } from './facts/fact-store.ts'
import { manifest } from './manifest.ts'
import { type MemoryEnv, memoryEnv } from './memory-env.ts'
import { memoryRoutes } from './memory-routes.ts'
import { memoryTools } from './memory-tools.ts'
import { rememberedFacts } from './remembered-facts.ts'
import { remoteMemory } from './remote/remote-memory.ts'

/** Creates the personal records of facts for `host.people`. Both calls reject if a remote memory is unavailable. */
const memoryRecords = (store: FactStore, log: Pick<Logger, 'info'>): PersonalRecords => ({
  async export(did) {
    return unlessNone(allFacts(store, did), recordOf)
  },
  async erase(did) {
    log.info('all facts of a user were deleted', { facts: await store.forgetAll(did) })
  },
})

/** Options of the plugin besides its environment variables. */
export interface MemoryOptions {
  /** Time limit for the facts of a turn, in milliseconds; after it the turn continues without them. @default 800 */
  readonly lookUpLimitMs?: number
}

/**
 * Remembers facts that users state, and finds them again.
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

/** Creates the tools, routes and records of the facts. @param own the store for the user's own reads and deletions */
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
