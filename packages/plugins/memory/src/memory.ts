import { definePlugin, type Host, provide } from '@sibyl/core'
import { personMemory } from '@sibyl/protocol'
import { embeddedMemory } from './embedded/embedded-memory.ts'
import { memoryMigrations } from './embedded/memory-migrations.ts'
import type { MemoryTables } from './embedded/memory-tables.ts'
import type { FactStore } from './facts/fact-store.ts'
import { manifest } from './manifest.ts'
import { type MemoryEnv, memoryEnv } from './memory-env.ts'
import { personMemoryOf } from './person-memory.ts'
import { rememberedFacts } from './prompt/remembered-facts.ts'
import { memoryRoutes } from './routes/memory-routes.ts'
import { memoryTools } from './tools/memory-tools.ts'

/**
 * Remembers what people tell the oracle, and finds it again.
 *
 * @example
 * await createOracleApp({ config, plugins: [memory()] })
 */
export const memory = () =>
  definePlugin<typeof memoryEnv, MemoryTables>({
    name: 'memory',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: memoryEnv,
    optIn: ['MEMORY_MCP_URL'],
    migrations: memoryMigrations,
    setup(host) {
      const store = storeOf(host)
      return {
        tools: memoryTools(store),
        instructions: rememberedFacts({ store, log: host.log, maxTokens: host.env.MEMORY_PROMPT_TOKENS }),
        routes: memoryRoutes({ store, clock: host.clock }),
        services: [provide(personMemory, personMemoryOf(store))],
      }
    },
  })

const storeOf = ({ storage, clock, env }: Host<MemoryEnv, MemoryTables>): FactStore =>
  embeddedMemory({ storage, clock, factsPerPerson: env.MEMORY_FACTS_PER_PERSON })
