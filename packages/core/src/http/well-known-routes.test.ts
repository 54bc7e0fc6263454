import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'

test.each([
  ['https://example.org', 'did:web:example.org'],
  ['https://example.org/oracles/field', 'did:web:example.org:oracles:field'],
])('the document of an oracle at %s is where did:web expects it', async (url, did) => {
  await using oracle = await testApp({ plugins: [], env: { PUBLIC_URL: url } })
  for (const path of ['/.well-known/did.json', '/did.json']) {
    const answer = await oracle.app.request(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/did+json'])
    expect(await answer.json()).toMatchObject({ id: did, service: [{ serviceEndpoint: url }] })
  }
})
