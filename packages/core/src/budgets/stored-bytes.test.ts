import type { Host, TurnRequest } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { onEachEngine } from '@sibyl/storage/testing/engines'
import { fromAddress, readStream, scriptedModel, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { storedTurnBytes } from '../database/stored-bytes-tables.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'

const stranger = (name: string, origin = 'a-network'): TurnRequest['actor'] => ({
  did: `did:key:z6Mk${name}`,
  via: 'ucan',
  scopes: ['chat/send'],
  origin,
})

/** Boots an oracle on a database, with the host of a plugin that runs turns of any size. */
const oracleOn = async (url: string, env: Record<string, string> = {}) => {
  const host = Promise.withResolvers<Host>()
  const channel = samplePlugin('channel', {
    setup: given => {
      host.resolve(given)
      return {}
    },
  })
  const model = scriptedModel(Array.from({ length: 50 }, () => ['Fine.']))
  const oracle = await testApp({ plugins: [channel], model, env: { DATABASE_URL: url, ...env } })
  const { turns, storage } = await host.promise
  return {
    ...oracle,
    model,
    turns,
    /** Stores a conversation of so many bytes; returns the code of a refusal. */
    async store(actor: TurnRequest['actor'], bytes: number, session: string) {
      const history = [{ role: 'user', text: 'x'.repeat(bytes) } as const]
      const request = { actor, session, text: 'Go on', history, channel: 'openai' } as const
      const started = await turns.run({ ...request, whenBusy: 'queue', approvals: 'deny' })
      if ('refused' in started) return started.refused.code
      await started.finished
      return 'stored'
    },
    /** Returns what is counted, by name, and fails unless sessions, users and sums agree. */
    async counted(): Promise<Record<string, number>> {
      const read = async (query: string) =>
        (await sql<{ name: string; bytes: number }>`${sql.raw(query)}`.execute(storage.read)).rows
      const sum = (rows: readonly { readonly bytes: number }[]) =>
        rows.reduce((total, { bytes }) => total + Number(bytes), 0)
      const people = await read("select did as name, bytes from core_stored_bytes where kind = 'conversations'")
      const sums = (await read('select name, bytes from core_stored_sums')).map(({ name, bytes }) => ({
        name: name.replace('conversations ', ''),
        bytes,
      }))
      const of = (kind: string) => sum(sums.filter(({ name }) => name.startsWith(kind)))
      expect(sum(await read('select id as name, bytes from core_sessions'))).toBe(sum(people))
      expect([of('all:'), of('holder:')]).toEqual([sum(people), sum(people)])
      return Object.fromEntries([...people, ...sums].map(({ name, bytes }) => [name, Number(bytes)]))
    },
    [Symbol.asyncDispose]: () => oracle.app.close(),
  }
}

await onEachEngine('what users store', engine => {
  test('has a quota for each, and the model is not called beyond it', async () => {
    await using oracle = await oracleOn(await engine.emptyDatabase(), { CONVERSATIONS_QUOTA_MB: '1' })
    const ada = stranger('Ada')
    expect(await oracle.store(ada, 600_000, 's1')).toBe('stored')
    expect(await oracle.store(ada, 600_000, 's2')).toBe('conversations_quota_reached')
    expect(oracle.model.calls).toHaveLength(1)
    expect(await oracle.store(stranger('Ben'), 600_000, 's1')).toBe('stored')
    await oracle.turns.forget(ada.did)
    expect(await oracle.store(ada, 600_000, 's2')).toBe('stored')
  })

  test('has a share for each network, and a total with a reserve for the operator', async () => {
    const env = { CONVERSATIONS_TOTAL_MB: '4', LIMIT_SHARE_PERCENT: '50' }
    await using oracle = await oracleOn(await engine.emptyDatabase(), env)
    const store = (name: string, network: string) => oracle.store(stranger(name, network), 900_000, 's')
    expect([await store('A1', 'a'), await store('A2', 'a'), await store('A3', 'a')]).toEqual([
      'stored',
      'stored',
      'conversations_share_reached',
    ])
    expect([await store('B1', 'b'), await store('C1', 'c')]).toEqual(['stored', 'conversations_full'])
    const byKey = { did: 'did:key:z6MkShop', via: 'api-key', scopes: ['chat/send'] } as const
    expect(await oracle.store(byKey, 300_000, 's')).toBe('stored')
  })

  test('has the share of its network within twice as much for an IPv6 site', async () => {
    await using oracle = await oracleOn(await engine.emptyDatabase(), { CONVERSATIONS_TOTAL_MB: '4' })
    const store = (name: string, network: string) => oracle.store(stranger(name, network), 700_000, 's')
    expect([await store('A', 'site.a'), await store('A2', 'site.a')]).toEqual(['stored', 'conversations_share_reached'])
    expect([await store('B', 'site.b'), await store('C', 'site.c')]).toEqual(['stored', 'conversations_share_reached'])
    expect(await store('D', 'other.a')).toBe('stored')
    const { 'origin:site': site, 'origin:site.a': one } = await oracle.counted()
    expect([site! > 2 * one! - 10_000, site! < 2 * one! + 10_000]).toEqual([true, true])
  })

  test('counts for the network of the latest message, and is refused where that is full', async () => {
    const env = { CONVERSATIONS_TOTAL_MB: '4', LIMIT_SHARE_PERCENT: '50' }
    await using oracle = await oracleOn(await engine.emptyDatabase(), env)
    expect(await oracle.store(stranger('Ada', 'home'), 900_000, 's1')).toBe('stored')
    expect(await oracle.store(stranger('Ada', 'office'), 10, 's2')).toBe('stored')
    const { 'origin:home': home, 'origin:office': office } = await oracle.counted()
    expect([home, office]).toEqual([undefined, expect.any(Number)])
    expect(office).toBeGreaterThan(900_000)
    expect(await oracle.store(stranger('Ben', 'cafe'), 1_800_000, 's1')).toBe('stored')
    expect(await oracle.store(stranger('Ada', 'cafe'), 10, 's3')).toBe('conversations_share_reached')
  })

  test('is exact while conversations grow, are edited, answered again and deleted', async () => {
    await using oracle = await oracleOn(await engine.emptyDatabase())
    const actor = testActor(fromAddress(oracle.app, '203.0.113.7'), Date.now)
    const send = async (id: string, more: object = {}) => {
      const messages = [{ id, role: 'user', parts: [{ type: 'text', text: `Hello ${id} 😀`.repeat(100) }] }]
      const { text } = await readStream(await actor.request('/chat', { json: { id: 's1', messages, ...more } }))
      expect(text).toBe('Fine.')
      return (await oracle.counted())[actor.did] ?? 0
    }
    const first = await send('m1')
    const second = await send('m2')
    expect(second).toBeGreaterThan(first + storedTurnBytes)
    const edited = await send('m1', { messageId: 'm1' })
    expect(edited).toBeLessThan(second + storedTurnBytes + 1_000)
    await send('m1', { trigger: 'regenerate-message' })
    expect((await actor.request('/sessions/s1', { method: 'DELETE' })).status).toBe(204)
    expect(Object.keys(await oracle.counted()).filter(name => !name.startsWith('all:'))).toEqual([])
  })

  test.runIf(engine.name === 'postgres')('is exact while three processes store and erase at once', async () => {
    const url = await engine.emptyDatabase()
    await using one = await oracleOn(url)
    await using two = await oracleOn(url)
    await using three = await oracleOn(url)
    const people = ['A', 'B', 'C', 'D'].map(name => stranger(name, `site.${name < 'C' ? 'a' : 'b'}`))
    const work = [one, two, three].map(async (oracle, place) => {
      const stored = people.map(person => oracle.store(person, 20_000, `s${place}`))
      expect(await Promise.all(stored)).toEqual(Array(4).fill('stored'))
      await oracle.turns.forget(people[place]!.did)
      return oracle.store(people[3]!, 20_000, `t${place}`)
    })
    expect(await Promise.all(work)).toEqual(Array(3).fill('stored'))
    const counted = await one.counted()
    const sum = (...names: readonly string[]) => names.reduce((total, name) => total + (counted[name] ?? 0), 0)
    expect(counted['origin:site']).toBe(sum(...people.map(({ did }) => did)))
    expect(counted['origin:site']).toBe(sum('origin:site.a', 'origin:site.b'))
    expect(counted[people[3]!.did]).toBeGreaterThan(6 * 20_000)
  })

  test('is counted in a database of an earlier version', async () => {
    const url = await engine.emptyDatabase()
    const ada = stranger('Ada')
    const before = await oracleOn(url)
    for (const session of ['s1', 's2']) await before.store(ada, 300_000, session)
    await before.store(stranger('Ben', 'b-network'), 10, 's1')
    const counted = await before.counted()
    await before.app.close()
    const storage = await engine.open({ url })
    for (const statement of [
      'drop table core_stored_bytes',
      'drop table core_stored_sums',
      'alter table core_sessions drop column bytes',
      'drop table core_grants',
      'drop table core_holds',
      'alter table core_turns drop column request',
      'alter table core_turns drop column checkpoint',
      "delete from sibyl_migrations where owner = 'core' and name > '0100-base'",
    ]) {
      await storage.write(tx => sql.raw(statement).execute(tx as never))
    }
    await storage.close()
    await using after = await oracleOn(url, { CONVERSATIONS_QUOTA_MB: '1' })
    const again = await after.counted()
    const people = ['did:key:z6MkAda', 'did:key:z6MkBen', 'origin:a-network', 'origin:b-network']
    for (const name of people) expect(Math.abs((again[name] ?? 0) - (counted[name] ?? 0)), name).toBeLessThan(1_000)
    expect(await after.store(ada, 600_000, 's3')).toBe('conversations_quota_reached')
    await after.turns.forget(ada.did)
    await after.turns.forget(stranger('Ben').did)
    expect(Object.keys(await after.counted()).filter(name => !name.startsWith('all:'))).toEqual([])
  })
})
