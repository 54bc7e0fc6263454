import { z } from '@hono/zod-openapi'
import { type OracleRecord, oracleRecord } from '@sibyl/protocol'
import { defineRoute, type Route } from '../plugins/route.ts'

/** The DID document of the oracle's did:web, with its key where one is loaded (W3C DID Core 1.0). */
export const didDocument = (publicDid: string, keyDid: string | undefined, publicUrl: string) => {
  const method = keyDid && `${publicDid}#${keyDid.slice('did:key:'.length)}`
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: publicDid,
    ...(method
      ? {
          alsoKnownAs: [keyDid],
          verificationMethod: [
            {
              id: method,
              type: 'Multikey',
              controller: publicDid,
              publicKeyMultibase: keyDid.slice('did:key:'.length),
            },
          ],
          authentication: [method],
          assertionMethod: [method],
          capabilityInvocation: [method],
        }
      : {}),
    service: [{ id: `${publicDid}#oracle`, type: 'Oracle', serviceEndpoint: publicUrl }],
  }
}

/** `GET /.well-known/oracle.json` and `GET /.well-known/did.json`. */
export const wellKnownRoutes = (record: () => OracleRecord, document: () => object): Route[] => [
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
    c => c.body(JSON.stringify(document()), 200, { 'content-type': 'application/did+json' }) as never,
  ),
]
