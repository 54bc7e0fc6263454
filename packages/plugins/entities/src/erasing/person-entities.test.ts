import { definePlugin, type Host } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { expect, test } from 'vitest'
import { entities } from '../entities.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { ada, ben, bootEntities, keys } from '../writing/entity-routes.test.helper.ts'

const operator = { ORACLE_OPERATOR_TOKEN: 'operator-token-of-the-tests-01' }

/** An address at which nobody answers. */
const webhook = 'http://127.0.0.1:65533/lovelace'

const boot = async (env: Readonly<Record<string, string>> = {}) => {
  let storage: Host<unknown, EntitiesTables>['storage'] | undefined
  const neighbour = definePlugin<never, EntitiesTables>({
    name: 'neighbour',
    version: '1.0.0',
    core: '^0.1.0',
    manifest: { title: 'Neighbour', summary: 'Reads what is not its own.', whenToUse: ['never'] },
    requires: ['entities'],
    setup(host) {
      storage = host.storage
      return {}
    },
  })
  const oracle = await bootEntities({
    plugins: [entities(), neighbour],
    env: { ...operator, ENTITIES_WEBHOOK_PRIVATE: 'on', ...env },
  })
  const people = (method: string, did: string, rest = '') =>
    oracle.app.request(`/people/${encodeURIComponent(did)}${rest}`, {
      method,
      headers: { authorization: `Bearer ${operator.ORACLE_OPERATOR_TOKEN}` },
    })
  return {
    ...oracle,
    storage: storage!,
    exported: async (did: string) => (await (await people('GET', did, '/export')).json()).entities,
    erase: async (did: string) => expect((await people('DELETE', did)).status).toBe(204),
    read: async (did: string) => (await oracle.send('GET', `/v1/entities/${encodeURIComponent(did)}`)).body,
    /** The rows of all tables, but for those inside the search indexes. */
    async rows(): Promise<string> {
      const tables = ['entities', 'events', 'edges', 'replies', 'webhooks', 'protocols'].map(name => `entities_${name}`)
      const found = await Promise.all(
        tables.map(table => sql`select * from ${sql.table(table)}`.execute(storage!.read)),
      )
      return JSON.stringify(
        found.map(({ rows }) => rows),
        (_, value) => (typeof value === 'bigint' ? String(value) : value),
      )
    },
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  }
}

type Oracle = Awaited<ReturnType<typeof boot>>

/** A stove of Ada's under a protocol of hers, and a meter that was hers for a while. */
const fill = async (oracle: Oracle) => {
  const protocol = (
    await oracle.create({ type: 'Protocol', properties: { owner: { type: 'string', required: true } } }, keys.ada)
  ).body.did
  const project = (await oracle.create({ type: 'Project' })).body.did
  const stove = (
    await oracle.create(
      {
        type: 'CookStove',
        protocol,
        properties: { owner: 'Ada Lovelace' },
        services: [{ id: '#home', type: 'Page', endpoint: 'https://lovelace.example' }],
        alsoKnownAs: ['urn:stove:lovelace'],
        verifiableCredential: [{ type: 'Ownership', issuer: ada }],
      },
      keys.ada,
      { 'idempotency-key': 'stove-of-ada' },
    )
  ).body.did
  await oracle.patch(stove, 1, { properties: { owner: 'Ada King, Countess' } }, keys.ada)
  await oracle.relate(stove, 'partOf', [project], keys.ada)
  const meter = (await oracle.create({ type: 'Meter', properties: { serial: 'M-1' } }, keys.ben)).body.did
  await oracle.patch(meter, 1, { controller: ada }, keys.ben)
  await oracle.patch(meter, 2, { controller: ben, properties: { serial: 'M-2' } }, keys.ada)
  const url = webhook
  expect((await oracle.send('POST', '/v1/webhooks', { body: { url }, key: keys.ada })).status).toBe(201)
  return { protocol, project, stove, meter }
}

await onEachEngine('what is stored of a person as entities', engine => {
  test('is exported, and erased: the chains hold, and no row names or quotes them', async () => {
    await using oracle = await boot({ DATABASE_URL: await engine.emptyDatabase() })
    const { protocol, project, stove, meter } = await fill(oracle)
    expect(await oracle.exported(ada)).toMatchObject({
      entities: expect.arrayContaining([
        expect.objectContaining({ did: stove, properties: { owner: 'Ada King, Countess' } }),
        expect.objectContaining({ did: protocol }),
      ]),
      webhooks: [{ url: webhook }],
    })
    const before = await oracle.rows()
    for (const text of [ada, 'Lovelace', 'Countess', 'lovelace.example']) expect(before).toContain(text)
    const search = async () => JSON.stringify((await oracle.send('GET', '/v1/search?q=countess')).body)
    expect(await search()).toContain(stove)
    const hashes = (await oracle.proof(stove)).links.map(({ hash }: { hash: string }) => hash)

    await oracle.erase(ada)
    const after = await oracle.rows()
    for (const text of [ada, 'Lovelace', 'Countess', 'lovelace']) expect(after, text).not.toContain(text)
    expect(await oracle.exported(ada)).toBeUndefined()
    expect(await oracle.read(stove)).toMatchObject({
      controller: oracle.app.identity.publicDid,
      type: 'CookStove',
      properties: {},
      relationships: { partOf: [project] },
      status: 'active',
    })
    expect(await oracle.read(protocol)).toMatchObject({ properties: { owner: expect.anything() } })
    expect(await oracle.read(meter)).toMatchObject({ controller: ben, properties: { serial: 'M-2' } })
    for (const did of [stove, protocol, project, meter])
      expect(await oracle.proof(did)).toMatchObject({ verified: true })
    const { links } = await oracle.proof(stove)
    expect(links.slice(0, -1).map(({ hash }: { hash: string }) => hash)).toEqual(hashes)
    expect(links.map(({ erasure }: { erasure?: object }) => erasure !== undefined)).toEqual([true, true, true, false])
    expect((await oracle.history(stove)).events.at(-1)).toMatchObject({
      kind: 'created',
      by: expect.stringMatching(/^erased:/),
      change: { type: 'CookStove' },
      erasedAt: expect.any(String),
    })
    expect(await search()).not.toContain(stove)
    const past = await oracle.send('GET', `/v1/entities/${encodeURIComponent(stove)}?at=${new Date().toISOString()}`)
    expect(past.body).toMatchObject({ properties: {} })
    await oracle.erase(ada)
    expect(await oracle.rows()).toBe(after)
  })

  test('with many versions and edges is erased in parts: the whole chain holds, and the edges lead to the mark', {
    tags: 'long',
  }, async () => {
    await using oracle = await boot({ DATABASE_URL: await engine.emptyDatabase() })
    const stove = (await oracle.create({ type: 'CookStove', properties: { owner: 'Ada Lovelace 0' } }, keys.ada)).body
      .did
    for (let version = 1; version < 130; version += 1)
      await oracle.patch(stove, version, { properties: { owner: `Ada Lovelace ${version}` } }, keys.ada)
    const edge = (number: number) => ({ from_node: `did:web:n${number}`, relationship: 'verifiedBy', to_node: ada })
    await oracle.storage.write(async tx => {
      for (let number = 0; number < 250; number += 1)
        await tx
          .insertInto('entities_edges')
          .values({ ...edge(number), created_at: number })
          .execute()
    })
    await oracle.erase(ada)
    const rows = await oracle.rows()
    for (const text of [ada, 'Lovelace']) expect(rows, text).not.toContain(text)
    const edges = await oracle.storage.read.selectFrom('entities_edges').selectAll().execute()
    expect(edges.filter(({ to_node }) => to_node.startsWith('erased:'))).toHaveLength(250)
    expect(await oracle.proof(stove)).toMatchObject({ verified: true })
    expect((await oracle.read(stove)).properties).toEqual({})
  })

  test('leaves links that no one else can alter', async () => {
    await using oracle = await boot({ DATABASE_URL: await engine.emptyDatabase() })
    const { stove } = await fill(oracle)
    await oracle.erase(ada)
    const id = stove.slice(-26)
    const { rows } = await sql<{ change: unknown; by: string; erasure: unknown }>`
      select change, by, erasure from entities_events where entity_id = ${id} and version = 2`.execute(
      oracle.storage.read,
    )
    const [link] = rows
    const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
    for (const [column, value] of [
      ['change', '{"properties":{"owner":"Mallory"}}'],
      ['by', 'did:web:mallory.example'],
      ['erasure', text(link?.erasure).replace(/(?<="signature":"u)./, first => (first === 'X' ? 'Y' : 'X'))],
    ] as const) {
      const set = (to: string) =>
        oracle.storage.write(tx =>
          sql`update entities_events set ${sql.ref(column)} = ${to} where entity_id = ${id} and version = 2`.execute(
            tx,
          ),
        )
      await set(value)
      expect(await oracle.proof(stove), column).toMatchObject({ verified: false, fault: { version: 2, check: 'hash' } })
      await set(text(link?.[column]))
      expect(await oracle.proof(stove)).toMatchObject({ verified: true })
    }
  })
})

test('a caller who erases themselves without a signing key gets the reason', async () => {
  await using oracle = await boot({ ORACLE_MNEMONIC: '' })
  const answer = await oracle.app.request(`/people/${encodeURIComponent(ada)}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${operator.ORACLE_OPERATOR_TOKEN}` },
  })
  expect(answer.status, 'there is nothing to sign').toBe(204)
})
