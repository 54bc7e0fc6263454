import { z } from '@hono/zod-openapi'
import type { Route } from '@sibyl/plugin'
import { type DidDocument, type OracleRecord, oracleRecord } from '@sibyl/protocol'
import { coreRoute } from './core-route.ts'

/** `GET /.well-known/oracle.json`, and the DID document of the oracle at the address of did:web. */
export const wellKnownRoutes = (record: () => OracleRecord, document: () => Promise<DidDocument>): Route[] => [
  coreRoute.get(
    '/.well-known/oracle.json',
    {
      auth: 'public',
      anyOrigin: true,
      tags: ['Oracle'],
      summary: 'The identity of the oracle and its access rules',
      ok: { 200: { description: 'The oracle', schema: oracleRecord } },
    },
    c => c.json(record(), 200),
  ),
  documentRoute('/.well-known/did.json', "The DID document of the oracle's did:web", document),
  documentRoute(
    '/did.json',
    'The same document, at the address that did:web requires if `PUBLIC_URL` has a path',
    document,
  ),
]

const documentRoute = (path: string, summary: string, document: () => Promise<DidDocument>): Route =>
  coreRoute.get(
    path,
    {
      auth: 'public',
      anyOrigin: true,
      tags: ['Oracle'],
      summary,
      ok: { 200: { description: 'The document', content: { 'application/did+json': { schema: z.looseObject({}) } } } },
    },
    async c => c.body(JSON.stringify(await document()), 200, { 'content-type': 'application/did+json' }),
  )
