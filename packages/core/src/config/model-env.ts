import { defaultModel, providerPackageName } from '@sibyl/models'
import { pairList } from '@sibyl/telemetry'
import { z } from 'zod'
import { line, seconds, webAddress } from './env-fields.ts'

const providerHint = 'must be openai, openai-compatible, offline or the name of a package such as @ai-sdk/anthropic'

/** The variables that select the language models and limit their calls. */
export const modelEnv = {
  LLM_PROVIDER: z
    .union(
      [z.enum(['openai', 'openai-compatible', 'offline']), line(214).regex(providerPackageName, providerHint)],
      providerHint,
    )
    .optional()
    .meta({
      description: 'The kind of model provider, or the package of an AI SDK provider, such as `@ai-sdk/anthropic`.',
      example: 'openai',
      defaultText:
        'openai-compatible with an OPENAI_BASE_URL, openai with an OPENAI_API_KEY, otherwise offline; in production none',
    }),
  LLM_MODEL: line(200).optional().meta({
    description: 'The model that answers users. `offline` needs no provider.',
    example: 'gpt-5.2',
    defaultText: defaultModel,
  }),
  LLM_UTILITY_MODEL: line(200).optional().meta({
    description: 'The model for small tasks, such as titles of sessions.',
    defaultText: 'LLM_MODEL',
  }),
  LLM_MODEL_CHECK: z.enum(['on', 'off']).default('on').meta({
    description: "Whether the start requests the provider's list of models, and warns of a model that it lacks.",
  }),
  LLM_INPUTS: line(100)
    .transform(text =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .pipe(z.union([z.tuple([z.literal('none')]).transform(() => []), z.array(z.enum(['image', 'pdf'])).max(2)]))
    .optional()
    .meta({
      description:
        'Files that the model takes: `image`, `pdf`, both separated by a comma, or `none`; it gets text of others.',
      example: 'image,pdf',
      defaultText: "those of the provider's models",
    }),
  OPENAI_API_KEY: line(1000)
    .regex(/^\S+$/, 'must have no spaces')
    .optional()
    .meta({ description: 'The API key of the model provider.', secret: true }),
  OPENAI_BASE_URL: webAddress.optional().meta({
    description: 'The base URL of an OpenAI-compatible server.',
    example: 'http://localhost:11434/v1',
  }),
  OPENAI_EXTRA_HEADERS: pairList
    .refine(headers => Object.values(headers).every(value => /^[\x20-\x7e]*$/.test(value)), 'must be printable ASCII')
    .optional()
    .meta({
      description:
        'Headers of every request to that server, for gateways: `name=value`, separated by commas, percent-encoded.',
      example: 'x-portkey-provider=openai',
      secret: true,
    }),
  LLM_FIRST_BYTE_TIMEOUT_SECONDS: seconds(300).default(60).meta({
    description: 'Maximum time until a model call starts to answer, in seconds.',
  }),
  LLM_STALL_TIMEOUT_SECONDS: seconds(300).default(60).meta({
    description: 'Maximum pause within an answer of the model, in seconds.',
  }),
  LLM_MAX_RETRIES: z.coerce.number().int().min(0).max(3).default(3).meta({
    description: 'Number of retries of a model call that fails before its answer starts.',
  }),
}
