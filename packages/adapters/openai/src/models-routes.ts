import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { refuse } from './errors/openai-errors.ts'

const modelRecord = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
})

/** `GET /v1/models` and `GET /v1/models/{model}`: the oracle is the one model. */
export const modelsRoutes = (model: string, created: number): Route[] => {
  const record = { id: model, object: 'model' as const, created, owned_by: 'sibyl' }
  return [
    route.get(
      '/v1/models',
      {
        auth: { ucan: 'chat/send', keyHeaders: true },
        summary: 'The oracle as the only model, for clients of the OpenAI API',
        ok: z.object({ object: z.literal('list'), data: z.array(modelRecord) }),
        refuse,
      },
      c => c.json({ object: 'list', data: [record] }),
    ),
    route.get(
      '/v1/models/{model}',
      {
        auth: { ucan: 'chat/send', keyHeaders: true },
        summary: 'The oracle as a model, under any name',
        params: z.object({ model: z.string().max(200) }),
        ok: modelRecord,
        refuse,
      },
      c => c.json(record),
    ),
  ]
}
