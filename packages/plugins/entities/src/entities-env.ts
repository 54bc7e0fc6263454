import { z } from 'zod'

const perMinute = z.coerce.number().int().min(0).max(1_000_000)

export const entitiesEnv = z.object({
  ENTITIES_API_KEYS: z.string().max(100_000).optional().meta({
    description:
      'Who may write and read entities: `name:key[:scopes[:did]]`, separated by commas; scopes are `read` and `write`, joined by `+`.',
    example: 'field:the-output-of-openssl-rand-hex-24',
    defaultText: 'nobody by key; UCANs alone',
    secret: true,
  }),
  ENTITIES_WEBHOOK_PRIVATE: z.enum(['on', 'off']).default('off').meta({
    description:
      'Whether webhooks may be sent to loopback and private networks: `on` or `off`. Only where everybody who may register one is trusted there.',
  }),
  ENTITIES_HISTORY_PER_MINUTE: perMinute.default(120).meta({
    description:
      "How many requests a minute one address may send to entities' histories and proofs, counted apart from others; 0 is no limit.",
  }),
  DID_RESOLUTION_PER_MINUTE: perMinute.default(300).meta({
    description:
      'How many requests a minute one address may send to `GET /1.0/identifiers/{did}`, counted apart from others; 0 is no limit.',
  }),
  ENTITIES_EXPLORER: z.enum(['on', 'off']).optional().meta({
    description:
      'Whether GET /explorer serves a page that shows entities and claims in a browser, to whoever has an API key.',
    example: 'on',
    defaultText: 'on in development, else off',
  }),
  DOMAIN_INDEXER_URL: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .refine(url => !URL.canParse(url) || new URL(url).username === '', 'must not have a user name or password in it')
    .optional()
    .meta({
      description:
        'A GraphQL endpoint that is searched besides this oracle: an index of entities of many oracles. Its results are marked by its host.',
      example: 'https://indexer.example/graphql',
      defaultText: 'entities of this oracle alone',
    }),
})
