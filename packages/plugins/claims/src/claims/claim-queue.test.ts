import { sql, toJson } from '@sibyl/plugin/storage'
import { expect, test } from 'vitest'
import { type ClaimsFixture, dids, type Key, openFixture } from '../claims-fixture.test.helper.ts'
import { claimsMigrations } from '../definitions/claims-tables.ts'
import { onEachEngine } from '../definitions/on-each-engine.test.helper.ts'
import type { ClaimDetails, ClaimRecord } from '../records/claim-records.ts'
import type { CollectionRecord } from '../records/collection-records.ts'

type Page = { claims: ClaimRecord[]; next?: string }

const queueOf = async (fixture: ClaimsFixture, key: Key, more = ''): Promise<Page> =>
  (await fixture.call<Page>(key, 'GET', `/v1/claims?deciding=true&order=oldest${more}`)).body

const idsOf = ({ claims }: Page): string[] => claims.map(({ id }) => id)

const step = (fixture: ClaimsFixture, key: Key, { id }: { id: string }, route: string, json: object = {}) =>
  fixture.call(key, 'POST', `/v1/claims/${id}/${route}`, json)

await onEachEngine('the claims queue', engine => {
  test('has what waits for the caller, oldest first, and each claim names the decisions that are allowed', async () => {
    await using fixture = await openFixture({ env: { DATABASE_URL: await engine.emptyDatabase() } })
    const asset = await fixture.asset()
    const own = await fixture.collection({ evaluation: 'person' })
    const { body: makers } = await fixture.call<CollectionRecord>('maker', 'POST', '/v1/collections', {
      title: 'Of the maker',
      evaluators: [dids.stranger],
      evaluation: 'person',
    })
    const submit = (collection: string, hours: number) => fixture.claim({ collection, asset, data: { hours } })
    const first = await submit(own.id, 1)
    const theirs = await submit(makers.id, 2)
    const second = await submit(own.id, 3)

    expect(idsOf(await queueOf(fixture, 'oracle'))).toEqual([first.id, second.id])
    expect(idsOf(await queueOf(fixture, 'stranger'))).toEqual([theirs.id])
    for (const key of ['maker', 'farm', 'reader'] as const) expect(idsOf(await queueOf(fixture, key)), key).toEqual([])

    const page = await queueOf(fixture, 'oracle', '&limit=1')
    expect(idsOf(page)).toEqual([first.id])
    expect(idsOf(await queueOf(fixture, 'oracle', `&limit=1&cursor=${page.next}`))).toEqual([second.id])
    const other = await fixture.call('oracle', 'GET', `/v1/claims?deciding=true&limit=1&cursor=${page.next}`)
    expect(other).toMatchObject({ status: 400, body: { code: 'cursor_invalid' } })
    expect(idsOf(await queueOf(fixture, 'oracle', '&state=evaluating'))).toEqual([])

    const allowed = async (key: Key, { id }: ClaimDetails) =>
      (await fixture.call(key, 'GET', `/v1/claims/${id}`)).body.allowed
    expect(await allowed('oracle', first)).toEqual(['evaluate'])
    expect(await allowed('farm', first)).toEqual([])
    expect((await step(fixture, 'oracle', first, 'evaluate')).body.allowed).toEqual(['confirm'])
    expect(idsOf(await queueOf(fixture, 'oracle', '&state=evaluating'))).toEqual([first.id])
    const decided = await step(fixture, 'oracle', first, 'confirm', { decision: 'approve', reason: 'Seen.' })
    expect(decided.body.allowed).toEqual(['dispute'])
    expect(idsOf(await queueOf(fixture, 'oracle'))).toEqual([second.id])
    expect(await allowed('farm', first)).toEqual(['dispute'])

    await step(fixture, 'stranger', theirs, 'evaluate')
    await step(fixture, 'stranger', theirs, 'confirm', { decision: 'reject', reason: 'Not seen.' })
    expect(idsOf(await queueOf(fixture, 'stranger'))).toEqual([])
    expect((await step(fixture, 'farm', theirs, 'dispute', { reason: 'It was.' })).status).toBe(200)
    expect(idsOf(await queueOf(fixture, 'maker'))).toEqual([theirs.id])
    expect(await allowed('maker', theirs)).toEqual(['resolve'])
    expect(await allowed('stranger', theirs)).toEqual([])
    expect((await step(fixture, 'stranger', theirs, 'resolve', { resolution: 'uphold', reason: 'No.' })).status).toBe(
      403,
    )
    expect(
      (await step(fixture, 'maker', theirs, 'resolve', { resolution: 'uphold', reason: 'No.' })).body.allowed,
    ).toEqual([])
  })

  test('collections from before it have their evaluators', async () => {
    const storage = await engine.open()
    const base = {
      protocol: null,
      closed: false,
      opens_at: null,
      closes_at: null,
      quota_all: null,
      quota_per_asset: null,
    }
    const unset = { ...base, least_version: null, accepted_version: null, taken: 0, created_at: 0, updated_at: 0 }
    const details = {
      submitters: 'anyone',
      evaluation: 'rules',
      confirm: false,
      conditions: [],
      credentialType: 'A',
    } as const
    await storage.write(async tx => {
      await tx.schema.dropIndex('claims_claims_waiting').execute()
      await tx.schema.alterTable('claims_collection_parties').dropColumn('evaluates').execute()
      for (const [id, evaluator] of [
        ['one', 'did:a'],
        ['other', 'did:b'],
      ] as const) {
        const row = { id, title: id, controller: 'did:a', details: toJson({ ...details, evaluators: [evaluator] }) }
        await tx
          .insertInto('claims_collections')
          .values({ ...row, ...unset })
          .execute()
        for (const party of new Set(['did:a', evaluator])) {
          await sql`insert into claims_collection_parties (party, collection_id) values (${party}, ${id})`.execute(tx)
        }
      }
    })
    await storage.migrate('later', claimsMigrations)
    const query = storage.read.selectFrom('claims_collection_parties').selectAll().orderBy('collection_id')
    expect(await query.orderBy('party').execute()).toEqual([
      { party: 'did:a', collection_id: 'one', evaluates: true },
      { party: 'did:a', collection_id: 'other', evaluates: false },
      { party: 'did:b', collection_id: 'other', evaluates: true },
    ])
  })
})
