import { camelCaseStorage, definePlugin, type Manifest } from '@sibyl/plugin'
import { createRequestRuns } from '@sibyl/plugin/host'
import { z } from 'zod'
import { messagesRoutes } from './anthropic/messages-route.ts'
import { chatCompletionsRoutes } from './chat-completions-route.ts'
import { modelsRoutes } from './models-routes.ts'
import { ollamaRoutes } from './ollama/ollama-routes.ts'
import { createResponseStore } from './responses/response-store.ts'
import { responsesRoutes } from './responses/responses-routes.ts'
import { personalRecords } from './threads/personal-records.ts'
import { threadRetention } from './threads/thread-retention.ts'
import { createThreadStore } from './threads/thread-store.ts'
import { type OpenAiTables, openaiMigrations } from './threads/threads-tables.ts'

/**
 * An oracle for clients of the OpenAI API, at `/v1`: `GET /v1/models`, `POST /v1/chat/completions`, and
 * `/v1/responses` to create, read and delete.
 *
 * @example
 * await createOracleApp({ config, plugins: [weather()], adapters: [openai()] })
 */
export const openai = () =>
  definePlugin<typeof openaiEnv, OpenAiTables>({
    name: 'openai',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: openaiEnv,
    migrations: openaiMigrations,
    async setup(host) {
      const storage = camelCaseStorage<OpenAiTables>(host.storage)
      const { limits } = host
      const now = () => host.clock.now()
      const model = modelName(host.oracle.name)
      const runs = createRequestRuns({ storage, table: 'openai_requests', turns: host.turns, now })
      const threads = createThreadStore(storage, now)
      const parts = { turns: host.turns, log: host.log, runs, threads, limits, model }
      return {
        endpoint: '/v1',
        routes: [
          ...modelsRoutes(model, Math.floor(now() / 1000)),
          ...chatCompletionsRoutes(parts),
          ...messagesRoutes(parts),
          ...ollamaRoutes(parts, now()),
          ...responsesRoutes(parts, createResponseStore(storage, limits, now)),
        ],
        personalRecords: personalRecords(storage, limits, runs),
        retention: [runs.retention, ...threadRetention(storage, limits, host.env.RETENTION_RESPONSES_DAYS)],
      }
    },
  })

const openaiEnv = z.object({
  RETENTION_RESPONSES_DAYS: z.coerce.number().int().min(1).max(36_500).default(30).meta({
    description: 'Days after which a stored response, and after the last use a thread, of an OpenAI client is deleted.',
  }),
})

/** Returns the oracle's name as that of a model: `field-oracle`. */
const modelName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'oracle'

const manifest: Manifest = {
  title: 'OpenAI API',
  summary: 'Clients of the OpenAI API: chat completions and responses at /v1.',
  whenToUse: ['a client that speaks the OpenAI API connects'],
}
