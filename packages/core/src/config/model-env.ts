import { defaultModel, providerPackageName } from '@sibyl/models'
import { pairList } from '@sibyl/telemetry'
import { z } from 'zod'
import { line, seconds, webAddress } from './env-fields.ts'

/** The variables that choose the language models and bound their calls. */
export const modelEnv = {
  LLM_PROVIDER: z
    .union(
      [z.enum(['openai', 'openai-compatible', 'offline']), line(214).regex(providerPackageName)],
      'must be openai, openai-compatible, offline or the name of a package such as @ai-sdk/anthropic',
    )
    .optional()
    .meta({
      description: 'Where the language model is, or the package of an AI SDK provider, such as `@ai-sdk/anthropic`.',
      example: 'openai',
      defaultText:
        'openai-compatible with an OPENAI_BASE_URL, openai with an OPENAI_API_KEY, else offline, in production none',
    }),
  LLM_MODEL: line(200).optional().meta({
    description: 'The model that answers people; offline is none of a provider, until there is one.',
    example: 'gpt-5.2',
    defaultText: defaultModel,
  }),
  LLM_UTILITY_MODEL: line(200).optional().meta({
    description: 'The model for small chores.',
    defaultText: 'LLM_MODEL',
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
    .meta({ description: "The model provider's API key.", secret: true }),
  OPENAI_BASE_URL: webAddress.optional().meta({
    description: 'Where an OpenAI-compatible server answers.',
    example: 'http://localhost:11434/v1',
  }),
  OPENAI_EXTRA_HEADERS: pairList
    .refine(headers => Object.values(headers).every(value => /^[\x20-\x7e]*$/.test(value)), 'must be printable ASCII')
    .optional()
    .meta({
      description:
        'Headers for every request to that server, for gateways: `name=value`, separated by commas, percent-encoded.',
      example: 'x-portkey-provider=openai',
      secret: true,
    }),
  LLM_FIRST_BYTE_TIMEOUT_SECONDS: seconds(300).default(60).meta({
    description: 'How long a call of the model may take until its answer begins, in seconds.',
  }),
  LLM_STALL_TIMEOUT_SECONDS: seconds(300).default(60).meta({
    description: 'How long an answer of the model may stand still, in seconds.',
  }),
  LLM_MAX_RETRIES: z.coerce.number().int().min(0).max(3).default(3).meta({
    description: 'How often a call of the model is repeated that failed before its answer began.',
  }),
}
