import { type Route, route, verificationMethodId } from '@sibyl/plugin'
import { publicKeyFromDid } from '@sibyl/plugin/host'
import { z } from 'zod'
import { agentCard, type CardParts } from './agent-card.ts'

/** `GET /.well-known/agent-card.json` and the keys of its signatures. */
export const cardRoutes = (parts: CardParts): Route[] => {
  const { identity } = parts
  return [
    route.get(
      '/.well-known/agent-card.json',
      {
        auth: 'public',
        summary: 'The agent card of the oracle (A2A 1.0), signed with its key',
        ok: z.looseObject({
          name: z.string(),
          supportedInterfaces: z.array(z.looseObject({ url: z.string(), protocolBinding: z.string() })),
          skills: z.array(z.looseObject({ id: z.string() })),
        }),
      },
      async () => Response.json(await agentCard(parts), { headers: { 'cache-control': 'public, max-age=300' } }),
    ),
    route.get(
      '/a2a/keys',
      {
        auth: 'public',
        summary: 'The public keys that sign the agent card, as a JSON Web Key Set',
        description: 'The same keys as in `/.well-known/did.json`.',
        ok: z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })) }),
      },
      async c => {
        const keys = (await identity.keys()).flatMap(({ did, until }) => {
          const key = until === undefined ? publicKeyFromDid(did) : undefined
          if (!key) return []
          const kid = verificationMethodId(identity.publicDid, did)
          return [
            { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url'), kid, alg: 'EdDSA', use: 'sig' },
          ]
        })
        return c.json({ keys })
      },
    ),
  ]
}
