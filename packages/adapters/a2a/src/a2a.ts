import { camelCaseStorage, definePlugin, type Manifest } from '@sibyl/plugin'
import { guardedFetch } from '@sibyl/plugin/outbound'
import { personFiles } from '@sibyl/protocol'
import { z } from 'zod'
import { agentList } from './agents/agent-list.ts'
import { createRemoteAgent } from './agents/remote-agent.ts'
import { cardRoutes } from './card/card-routes.ts'
import { httpRoutes } from './http/http-routes.ts'
import { createOperations } from './http/operations.ts'
import { rpcRoute } from './http/rpc-route.ts'
import { createPushService } from './push/push-service.ts'
import { personalRecords } from './tasks/personal-records.ts'
import { createTaskSettling } from './tasks/settle-tasks.ts'
import { createTaskService } from './tasks/task-service.ts'
import { createTaskStore } from './tasks/task-store.ts'
import { type A2aTables, a2aMigrations } from './tasks/task-tables.ts'

/**
 * An oracle as an agent of A2A 1.0: its signed card at `/.well-known/agent-card.json`, and both bindings, JSON-RPC and HTTP+JSON,
 * at `/a2a`.
 *
 * @example
 * await createOracleApp({ config, plugins: [weather()], adapters: [a2a()] })
 */
export const a2a = () =>
  definePlugin<typeof a2aEnv, A2aTables>({
    name: 'a2a',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: a2aEnv,
    uses: ['files'],
    migrations: a2aMigrations,
    async setup(host) {
      const { oracle, identity, grants, clock } = host
      const storage = camelCaseStorage<A2aTables>(host.storage)
      const now = () => host.clock.now()
      const allowPrivate = host.env.A2A_PUSH_PRIVATE === 'on'
      const push = createPushService(host, storage, { allowPrivate, fetch: guardedFetch })
      const store = createTaskStore(storage, host.limits, now, push.settled)
      const settling = createTaskSettling(host, store, host.optionalService(personFiles))
      const tasks = createTaskService(host, store, settling)
      const operations = createOperations(tasks, store, push, identity)
      const agents = (host.env.A2A_AGENTS ?? []).map(entry =>
        createRemoteAgent(entry, { identity, grants, clock, fetch: guardedFetch }),
      )
      if (agents.length > 0) {
        host.background('agents', async signal => {
          await Promise.all(agents.map(agent => agent.start(signal)))
        })
      }
      return {
        endpoint: '/a2a',
        routes: [
          ...cardRoutes({ oracle, identity, capabilities: () => host.capabilities() }),
          rpcRoute(operations),
          ...httpRoutes(operations),
        ],
        ...(agents.length > 0 ? { capabilities: () => agents.map(({ capability }) => capability) } : {}),
        turn: settling.hooks,
        personalRecords: personalRecords(storage, store),
        retention: store.retention(host.env.RETENTION_A2A_TASKS_DAYS),
      }
    },
  })

const manifest: Manifest = {
  title: 'A2A',
  summary: 'Agents that speak A2A 1.0 talk to the oracle at /a2a.',
  whenToUse: ['another agent connects'],
}

/** Variables of the adapter. */
const a2aEnv = z.object({
  A2A_AGENTS: agentList.optional().meta({
    description: 'Other agents that the oracle can ask: `name=address`, separated by commas.',
    example: 'tides=https://tides.example',
  }),
  A2A_PUSH_PRIVATE: z.enum(['on', 'off']).default('off').meta({
    description: 'Whether push notifications of A2A may go to loopback and private networks: `on` or `off`.',
  }),
  RETENTION_A2A_TASKS_DAYS: z.coerce.number().int().min(1).max(36_500).default(30).meta({
    description: 'Days after the last change of an A2A task until it is deleted, with its messages.',
  }),
})
