import { createSigningKey, mintDelegation, signRevocation } from '@sibyl/identity'
import { silentLogger, testApp } from '@sibyl/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from '../create-client.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const apiKey = 'key-of-the-shop-0123456789'

const serve = async () => {
  const oracle = await testApp({ plugins: [], env: { ORACLE_API_KEYS: `shop:${apiKey}` }, logger: silentLogger })
  cleanups.push(() => oracle.app.close())
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  const sent: { readonly method: string; readonly path: string; readonly token: string | undefined }[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const token = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length)
    sent.push({ method: init?.method ?? 'GET', path: new URL(String(input)).pathname, token })
    return globalThis.fetch(input, init)
  }
  const exchanges = () => sent.filter(({ method, path }) => method === 'POST' && path === '/auth/token').length
  return { oracle, sent, exchanges, options: { url: `http://127.0.0.1:${port}`, fetch } }
}

const answerOf = async (turn: { readonly events: AsyncIterable<{ readonly event: { readonly type: string } }> }) => {
  let text = ''
  for await (const { event } of turn.events) if ('delta' in event && event.type === 'text-delta') text += event.delta
  return text
}

describe('a client with a token', () => {
  it('sends it with every request: an API key, or a new value each time', async () => {
    const { options, sent } = await serve()
    for (const token of [apiKey, () => apiKey, async () => apiKey]) {
      const client = createClient({ ...options, token })
      expect(await answerOf(await client.chat('hello'))).not.toBe('')
      expect((await client.sessions.list()).length).toBeGreaterThan(0)
    }
    expect(new Set(sent.map(({ token }) => token))).toEqual(new Set([undefined, apiKey]))
  })

  it('sends a bearer that was exchanged elsewhere, and detects its expiry', async () => {
    const { options } = await serve()
    const owner = createClient({ ...options, signer: createSigningKey() })
    const { token } = await owner.bearers.exchange({ scopes: ['session/read'] })
    const client = createClient({ ...options, token })
    expect(await client.sessions.list()).toEqual([])
    await expect(client.chat('hello')).rejects.toMatchObject({ code: 'scope_missing', status: 403 })
    expect(await client.bearers.revoke()).toBe(1)
    await expect(client.sessions.list()).rejects.toMatchObject({ code: 'bearer_invalid' })
    await expect(client.bearers.exchange()).rejects.toMatchObject({ code: 'bearer_invalid' })
  })

  it('sends it only to the expected oracle', async () => {
    const { options, sent } = await serve()
    const client = createClient({ ...options, token: apiKey, expectedDid: createSigningKey().did })
    await expect(client.sessions.list()).rejects.toMatchObject({ code: 'oracle_mismatch' })
    expect(sent.map(({ token }) => token)).toEqual([undefined])
  })

  it('does not repeat one that cannot be sent', async () => {
    const { options } = await serve()
    for (const token of [`${apiKey}\n`, '', 'two words']) {
      const client = createClient({ ...options, token })
      const error: Error = await client.sessions.list().then(
        () => new Error('nothing was thrown'),
        thrown => thrown,
      )
      expect(error).toBeInstanceOf(TypeError)
      expect(error.message).not.toContain(apiKey)
    }
  })
})

describe('a client that exchanges', () => {
  it('signs once for many requests, also where they begin together', async () => {
    const { options, exchanges, sent } = await serve()
    const client = createClient({ ...options, signer: createSigningKey(), exchange: true })
    await Promise.all([client.sessions.list(), client.sessions.list(), client.capabilities()])
    expect(await answerOf(await client.chat('hello', { sessionId: 's' }))).not.toBe('')
    await client.sessions.delete('s')
    expect(exchanges()).toBe(1)
    const tokens = sent.filter(({ path }) => path !== '/auth/token').map(({ token }) => token)
    expect(new Set(tokens.filter(Boolean)).size).toBe(1)
    expect(tokens.at(-1)).toMatch(/^sibyl_/)
    expect((await client.headers()).authorization).toBe(`Bearer ${tokens.at(-1)}`)
  })

  it('gets another when the oracle knows its bearer no longer, once a request', async () => {
    const { options, exchanges } = await serve()
    const signer = createSigningKey()
    const client = createClient({ ...options, signer, exchange: true })
    await client.sessions.list()
    expect(await createClient({ ...options, signer }).bearers.revoke()).toBe(1)
    expect(await answerOf(await client.chat('hello'))).not.toBe('')
    expect(exchanges()).toBe(2)
    const refusing = createClient({
      ...options,
      signer,
      exchange: true,
      fetch: async (input, init) => {
        if (!String(input).endsWith('/sessions')) return options.fetch(input, init)
        const problem = { type: 'x', title: 'x', status: 401, code: 'bearer_invalid' }
        return new Response(JSON.stringify(problem), { status: 401 })
      },
    })
    await expect(refusing.sessions.list()).rejects.toMatchObject({ code: 'bearer_invalid' })
    expect(exchanges()).toBe(4)
  })

  it('tries again after an exchange that failed', async () => {
    const { options } = await serve()
    let down = true
    const client = createClient({
      ...options,
      signer: createSigningKey(),
      exchange: true,
      fetch: (input, init) =>
        down && String(input).endsWith('/auth/token') ? Promise.reject(new Error('down')) : options.fetch(input, init),
    })
    await expect(client.sessions.list()).rejects.toMatchObject({ code: 'network_failed' })
    down = false
    expect(await client.sessions.list()).toEqual([])
  })
})

it('a client acts under its own DID with proofs, and as their signer if both name it', async () => {
  const { options, oracle } = await serve()
  const [owner, device] = [createSigningKey(), createSigningKey()]
  const resource = `oracle:${oracle.app.identity.did}`
  const grant = (abilities: string[]) => mintDelegation({ key: owner, audience: device.did, resource, abilities })
  await answerOf(await createClient({ ...options, signer: owner }).chat('hello', { sessionId: 'of-the-owner' }))
  const named = [await grant(['*', 'auth/impersonate'])]
  const asItself = createClient({ ...options, signer: device, proofs: named })
  expect(await asItself.sessions.list()).toEqual([])
  for (const exchange of [false, true]) {
    const client = createClient({ ...options, signer: device, proofs: named, impersonate: true, exchange })
    expect(await client.sessions.list()).toMatchObject([{ id: 'of-the-owner' }])
  }
  const unnamed = createClient({ ...options, signer: device, proofs: [await grant(['*'])], impersonate: true })
  await expect(unnamed.sessions.list()).rejects.toMatchObject({ code: 'mint_request_invalid' })
})

it('a client revokes a delegation that its owner gave away', async () => {
  const { options, oracle } = await serve()
  const [owner, device] = [createSigningKey(), createSigningKey()]
  const { did } = oracle.app.identity
  const token = await mintDelegation({ key: owner, audience: device.did, resource: `oracle:${did}`, abilities: ['*'] })
  const client = createClient({ ...options, signer: owner })
  const revoked = await client.revoke({ ...(await signRevocation(owner, token)), token })
  expect(revoked).toMatchObject({ revokedBy: owner.did })
  const stranger = { ...(await signRevocation(device, token)), token }
  await expect(client.revoke(stranger)).rejects.toMatchObject({ code: 'revocation_invalid' })
})
