import { definePlugin, type Host } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entities } from '../entities.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { ada, bootEntities, keys } from '../writing/entity-routes.test.helper.ts'

let oracle: Awaited<ReturnType<typeof bootEntities>>
let storage: Host<unknown, EntitiesTables>['storage']

beforeAll(async () => {
  const neighbour = definePlugin<never, EntitiesTables>({
    name: 'neighbour',
    version: '1.0.0',
    core: '^0.1.0',
    manifest: { title: 'Neighbour', summary: 'Changes what is not its own.', whenToUse: ['never'] },
    requires: ['entities'],
    setup(host) {
      storage = host.storage
      return {}
    },
  })
  oracle = await bootEntities({ plugins: [entities(), neighbour] })
})
afterAll(() => oracle[Symbol.asyncDispose]())

/** An entity with four changes, and what is done to one of its rows. */
const entity = async (): Promise<{ readonly did: string; readonly id: string; readonly other: string }> => {
  const protocol = (await oracle.create({ type: 'Protocol', properties: { a: 'number' } })).body.did
  const other = (await oracle.create({ type: 'Device' })).body.did
  const { did } = (await oracle.create({ type: 'Device', protocol, properties: { a: 1 } }, keys.ada)).body
  await oracle.patch(did, 1, { properties: { a: 2 } }, keys.ada)
  await oracle.relate(did, 'partOf', [other], keys.ada)
  await oracle.patch(did, 3, { controller: ada, properties: { a: 3 } }, keys.ada)
  return { did, id: did.slice(-26), other: other.slice(-26) }
}

const tamper = (statement: ReturnType<typeof sql>) => storage.write(tx => statement.execute(tx))

test('an untouched chain holds, page by page', async () => {
  const { did } = await entity()
  expect(await oracle.proof(did)).toMatchObject({ verified: true, links: { length: 4 } })
  const page = (rest: string) => oracle.send('GET', `/v1/entities/${encodeURIComponent(did)}/proof?${rest}`)
  expect((await page('limit=2')).body).toMatchObject({ verified: true, next: 2 })
  expect((await page('after=2')).body).toMatchObject({ verified: true })
})

const otherText = 'x'
test.each([
  ['version', sql`version + 10`, 'version'],
  ['kind', sql`'related'`, 'hash'],
  ['at', sql`at + 1`, 'hash'],
  ['by', sql`${otherText}`, 'hash'],
  ['change', sql`'{"properties":{"a":4}}'`, 'hash'],
  ['previous_hash', sql`hash`, 'previousHash'],
  ['hash', sql`previous_hash`, 'hash'],
  ['signature', sql`'u' || substr(signature, 3) || 'A'`, 'signature'],
  ['signer', sql`'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH'`, 'signer'],
])('an event whose %s is another does not hold', async (column, value, check) => {
  const { did, id } = await entity()
  await tamper(sql`update entities_events set ${sql.ref(column)} = ${value} where entity_id = ${id} and version = 2`)
  expect(await oracle.proof(did)).toMatchObject({ verified: false, fault: { check } })
})

test.each([
  ['type', sql`'Meter'`],
  ['domain_class', sql`'Twin Systems'`],
  ['controller', sql`'did:web:mallory.example'`],
  ['status', sql`'deactivated'`],
  ['protocol', sql`null`],
  ['protocol_version', sql`2`],
  ['details', sql`'{"properties":{"a":4}}'`],
  ['version', sql`5`],
  ['created_at', sql`created_at - 1`],
  ['updated_at', sql`updated_at + 1`],
  ['hash', sql`'ab'`],
])('an entity whose %s is not what its links say does not hold', async (column, value) => {
  const { did, id } = await entity()
  await tamper(sql`update entities_entities set ${sql.ref(column)} = ${value} where id = ${id}`)
  expect(await oracle.proof(did)).toMatchObject({ verified: false, fault: { check: 'entity' } })
})

test('neither truncated links, nor edges without a link, are valid', async () => {
  const cut = await entity()
  await tamper(sql`delete from entities_events where entity_id = ${cut.id} and version = 4`)
  expect(await oracle.proof(cut.did)).toMatchObject({ verified: false, fault: { version: 4, check: 'entity' } })
  const linked = await entity()
  await tamper(sql`
    insert into entities_edges (from_node, relationship, to_node, created_at)
    values (${linked.id}, 'subDomainOf', ${linked.other}, 1)`)
  expect(await oracle.proof(linked.did)).toMatchObject({ verified: false, fault: { check: 'entity' } })
  const loose = await entity()
  await tamper(sql`delete from entities_edges where from_node = ${loose.id}`)
  expect(await oracle.proof(loose.did)).toMatchObject({ verified: false, fault: { check: 'entity' } })
})
