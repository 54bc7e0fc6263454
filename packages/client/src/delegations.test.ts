import { createSigningKey, mintDelegation, type SigningKey } from '@sibyl/identity'
import { definePlugin } from '@sibyl/plugin'
import { silentLogger, testApp } from '@sibyl/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from './create-client.ts'
import type { Proofs } from './credentials/invocation-credentials.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const serve = async (env: Record<string, string> = {}) => {
  const held: (readonly string[])[] = []
  const witness = definePlugin({
    name: 'witness',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Witness', summary: 'Notes what callers hold.', whenToUse: ['never'] },
    setup: () => ({ turn: { before: async ({ actor }) => void held.push(actor.scopes) } }),
  })
  const oracle = await testApp({ plugins: [witness], env, logger: silentLogger })
  cleanups.push(() => oracle.app.close())
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${port}`, did: oracle.app.identity.did ?? '', held }
}

describe('a client with proofs', () => {
  const serveDelegated = async () => {
    const [controller, signer] = [createSigningKey(), createSigningKey()]
    const { url, did } = await serve({ ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did })
    const grant = (abilities: readonly string[], key: SigningKey = controller) =>
      mintDelegation({ key, audience: signer.did, resource: `oracle:${did}`, abilities })
    const connect = (proofs: Proofs = [], exchange = false) => createClient({ url, signer, proofs, exchange })
    return { url, did, signer, grant, connect }
  }

  it('is accepted with delegated access, as the DID that it signs for', async () => {
    const { connect, grant, signer } = await serveDelegated()
    await expect(connect().chat('hello')).rejects.toMatchObject({ code: 'ucan_untrusted_root', status: 403 })
    const stranger = createSigningKey()
    await expect(connect([await grant(['chat/*'], stranger)]).chat('hello')).rejects.toMatchObject({ status: 403 })
    const client = connect([await grant(['chat/*', 'session/*', 'auth/token'])])
    const turn = await client.chat('hello')
    for await (const _ of turn.events);
    expect((await client.sessions.list()).map(({ id }) => id)).toEqual([turn.sessionId])
    expect((await client.bearers.exchange()).did).toBe(signer.did)
  })

  it('lets the agent do as much as they grant, within what the client asks for', async () => {
    const [controller, signer] = [createSigningKey(), createSigningKey()]
    const { url, did, held } = await serve({ ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did })
    const grant = (abilities: readonly string[]) =>
      mintDelegation({ key: controller, audience: signer.did, resource: `oracle:${did}`, abilities })
    const heldBy = async (granted: readonly string[], more: { chatAbilities?: string[]; exchange?: boolean } = {}) => {
      const turn = await createClient({ url, signer, proofs: [await grant(granted)], ...more }).chat('hello')
      for await (const _ of turn.events);
      return held.at(-1)
    }
    const all = ['*']
    expect(await heldBy(['*'])).toEqual(['chat/send', 'chat/*'])
    expect(await heldBy(['chat/*', 'entities/write'])).toEqual(['chat/send', 'chat/*'])
    expect(await heldBy(['chat/send', 'chat/personal'])).toEqual(['chat/send', 'chat/personal'])
    expect(await heldBy(['chat/*', 'entities/write'], { chatAbilities: all })).toEqual([
      'chat/send',
      'chat/*',
      'entities/write',
    ])
    expect(await heldBy(['*'], { chatAbilities: [] })).toEqual(['chat/send'])
    const exchanged = ['chat/*', 'session/*', 'auth/token', 'notes/read']
    expect(await heldBy(exchanged, { exchange: true, chatAbilities: ['notes/*'] })).toEqual([
      'chat/send',
      'notes/read',
      'session/read',
      'session/delete',
    ])
  })

  it('exchanges with them, and asks what gives them once a token', async () => {
    const { connect, grant, did } = await serveDelegated()
    const proof = await grant(['*'])
    const asked: (string | undefined)[] = []
    const proofs: Proofs = oracle => {
      asked.push(oracle.did)
      return [proof]
    }
    const exchanging = connect(proofs, true)
    await exchanging.sessions.list()
    await exchanging.capabilities()
    expect(asked).toEqual([did])
    await connect(async oracle => proofs(oracle)).sessions.list()
    expect(asked).toEqual([did, did])
  })

  it('does not ask the oracle for what they do not allow', async () => {
    const { connect, grant } = await serveDelegated()
    const reader = connect([await grant(['session/read'])])
    expect(await reader.sessions.list()).toEqual([])
    const refused = { code: 'mint_request_invalid', reason: 'capability_escalated' }
    await expect(reader.chat('hello')).rejects.toMatchObject(refused)
  })

  it('uses them also if it expects the oracle by its public DID', async () => {
    const { url, grant, signer } = await serveDelegated()
    const { publicDid } = await createClient({ url, signer }).oracle()
    const client = createClient({ url, signer, proofs: [await grant(['session/*'])], expectedDid: publicDid })
    expect(await client.sessions.list()).toEqual([])
  })
})

describe('delegations to the oracle', () => {
  const resource = 'https://calendar.example'

  it('are kept, listed without their tokens, and dropped', async () => {
    const { url, did } = await serve()
    for (const exchange of [false, true]) {
      const key = createSigningKey()
      const client = createClient({ url, signer: key, exchange })
      const mint = (ability: string) => mintDelegation({ key, audience: did, resource, abilities: [ability] })
      const [first, second] = [await mint('event/read'), await mint('event/create')]
      const kept = await client.delegations.keep(first)
      expect(kept).toMatchObject({
        issuer: key.did,
        audience: did,
        capabilities: [{ resource, ability: 'event/read' }],
      })
      await client.delegations.keep(second)
      expect((await client.delegations.list())[0]).toEqual(kept)
      expect(await client.delegations.drop(kept.hash)).toBe(1)
      expect(await client.delegations.drop(kept.hash)).toBe(0)
      expect((await client.delegations.list()).map(({ capabilities }) => capabilities[0]?.ability)).toEqual([
        'event/create',
      ])
      expect(await client.delegations.drop()).toBe(1)
      expect(await client.delegations.list()).toEqual([])
    }
  })

  it("are the caller's own, and for this oracle", async () => {
    const { url, did } = await serve()
    const [key, other] = [createSigningKey(), createSigningKey()]
    const client = createClient({ url, signer: key })
    const grant = { resource, abilities: ['event/*'] }
    await expect(
      client.delegations.keep(await mintDelegation({ key: other, audience: did, ...grant })),
    ).rejects.toMatchObject({ code: 'delegation_not_yours' })
    await expect(
      client.delegations.keep(await mintDelegation({ key, audience: other.did, ...grant })),
    ).rejects.toMatchObject({ code: 'delegation_invalid' })
    await expect(client.delegations.drop('../sessions/x')).rejects.toMatchObject({ code: 'invalid_identifier' })
  })
})
