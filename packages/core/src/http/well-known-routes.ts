import { z } from '@hono/zod-openapi'
import { type DidDocument, type OracleRecord, oracleRecord } from '@sibyl/protocol'
import { defineRoute, type Route } from '../plugins/route.ts'

/** `GET /.well-known/oracle.json` and `GET /.well-known/did.json`. */
export const wellKnownRoutes = (record: () => OracleRecord, document: () => Promise<DidDocument>): Route[] => [
  defineRoute(
    'public',
    {
      method: 'get',
      path: '/.well-known/oracle.json',
      tags: ['Oracle'],
      summary: 'Whom a client talks to, and how',
      responses: { 200: { description: 'The oracle', content: { 'application/json': { schema: oracleRecord } } } },
    },
    c => c.json(record(), 200),
  ),
  defineRoute(
    'public',
    {
      method: 'get',
      path: '/.well-known/did.json',
      tags: ['Oracle'],
      summary: "The DID document of the oracle's did:web",
      responses: {
        200: { description: 'The document', content: { 'application/did+json': { schema: z.looseObject({}) } } },
      },
    },
    async c => c.body(JSON.stringify(await document()), 200, { 'content-type': 'application/did+json' }) as never,
  ),
]
