import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { oracle, TestClient, type Tokens } from './oauth-client.test.support.ts'

/** Reads an ID token, after a check of its signature with the published keys. */
const claimsOf = async (token: string, jwks: Response) => {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { keys } = await jwks.json()
  const key = keys.find(({ kid }: { kid: string }) => kid === read(head).kid)
  expect(key).not.toHaveProperty('d')
  const publicKey = createPublicKey({ key, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const given = Buffer.from(signature, 'base64url')
  expect(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, given)).toBe(true)
  return read(claims)
}

test('a client that requests openid gets an ID token with the DID of the user, also when it refreshes', async () => {
  const { send, actor } = await oracle()
  const discovery = await send('/.well-known/openid-configuration')
  expect(discovery.headers.get('access-control-allow-origin')).toBe('*')
  const metadata = await discovery.json()
  expect(metadata).toMatchObject({
    issuer: 'http://localhost:3000',
    scopes_supported: expect.arrayContaining(['openid']),
    id_token_signing_alg_values_supported: ['ES256'],
    subject_types_supported: ['public'],
  })
  const jwks = () => send(new URL(metadata.jwks_uri).pathname)
  expect((await jwks()).headers.get('access-control-allow-origin')).toBe('*')
  const client = await TestClient.register(send)
  const tokens = (await client.tokens(actor, { scope: 'openid chat/*', nonce: 'n-1' })) as Tokens & { id_token: string }
  expect(tokens.scope).toBe('chat/*')
  const claims = await claimsOf(tokens.id_token, await jwks())
  expect(claims).toMatchObject({ iss: metadata.issuer, aud: client.id, sub: actor.did, nonce: 'n-1' })
  const refreshed = (await (await client.refresh(tokens.refresh_token)).json()) as typeof tokens
  expect(await claimsOf(refreshed.id_token, await jwks())).toMatchObject({ sub: actor.did })
  // The access token has the abilities alone, and an ID token is none.
  expect(await client.status(tokens.access_token)).toBe(403)
  expect(await client.status(tokens.id_token)).toBe(401)
})

test('a client that does not request openid gets no ID token', async () => {
  const { send, actor } = await oracle()
  const tokens = await (await TestClient.register(send)).tokens(actor)
  expect(tokens).not.toHaveProperty('id_token')
})
