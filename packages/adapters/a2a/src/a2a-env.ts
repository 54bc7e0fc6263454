import { z } from 'zod'
import { agentList } from './agents/agent-list.ts'

/** Variables of the adapter. */
export const a2aEnv = z.object({
  A2A_AGENTS: agentList.optional().meta({
    description: 'Other agents that the oracle can ask: `name=address`, separated by commas.',
    example: 'tides=https://tides.example',
  }),
  A2A_PUSH_PRIVATE: z.enum(['on', 'off']).default('off').meta({
    description: 'Whether push notifications of A2A may go to loopback and private networks: `on` or `off`.',
  }),
})
