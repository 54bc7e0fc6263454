import { z } from '@hono/zod-openapi'
import type { CorePorts } from '@sibyl/core/ports'
import { type Route, route } from '@sibyl/plugin'
import { compareModels } from './compare-models.ts'
import { comparedAnswer, comparisonRequest } from './comparison.ts'

/** `POST /operator/compare`: one message, answered by several models or with several instructions. */
export const compareRoute = (ports: CorePorts, now: () => number): Route =>
  route.post(
    '/operator/compare',
    {
      auth: 'operator',
      tags: ['Operator'],
      summary: 'Answer a message with several models or system prompts',
      description:
        'Without tools and without a session. Only the tokens are stored; they count against the budgets. A ' +
        'variant that fails has an `error`, and the others have answers.',
      body: comparisonRequest,
      ok: {
        200: { description: 'One answer for each variant', schema: z.object({ answers: z.array(comparedAnswer) }) },
      },
      errors: [{ code: 'operator_token_needed', status: 401 }],
    },
    async c => {
      const { message, variants } = c.req.valid('json')
      const answers = await compareModels(ports, { actor: c.get('actor'), message, variants }, now)
      return c.json({ answers }, 200)
    },
  )
