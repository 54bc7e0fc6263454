import { z } from '@hono/zod-openapi'
import { normalDid } from '@sibyl/protocol'

/** Path parameters of routes about one person. Addresses such as phone numbers stay out of URLs, which proxies log. */
export const personParams = z.object({
  person: z
    .string()
    .max(500)
    .regex(/^did:[a-z0-9]+:\S+$/, 'expected a DID; POST /operator/people/find returns that of a phone number')
    .overwrite(normalDid)
    .meta({ description: "The person's DID", example: 'did:key:z6Mk…' }),
})
