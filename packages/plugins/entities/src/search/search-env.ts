import { z } from 'zod'

/** The variables of this room. */
export const searchEnv = {
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
}
