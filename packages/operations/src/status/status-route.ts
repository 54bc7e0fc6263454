import { type Route, route } from '@sibyl/plugin'
import { type OperatorStatusRecord, operatorStatusRecord } from '@sibyl/protocol'

/** `GET /operator/status`: the state of the oracle and of this process. */
export const operatorStatusRoute = (read: () => Promise<OperatorStatusRecord>): Route =>
  route.get(
    '/operator/status',
    {
      auth: 'operator',
      tags: ['Operator'],
      summary: 'Read the state of the oracle, and of the process that answers',
      description:
        'Health, plugins and adapters with the full reasons of their states, the language model with its circuit breaker, limits and ' +
        'budgets with their use. Limits, circuit breaker and process facts are those of the process that answered: `process.id`.',
      ok: { 200: { description: 'The state; also if the database does not respond', schema: operatorStatusRecord } },
    },
    async c => c.json(await read(), 200),
  )
