import { scriptedModel } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { type ClaimsFixture, openFixture, stoveClaim } from '../claims-fixture.test.helper.ts'
import { onEachEngine } from '../definitions/on-each-engine.test.helper.ts'
import type { ClaimDetails, ClaimState } from '../records/claim-records.ts'
import { stateAfter, transitions } from './claim.ts'

/** Two processes on one database are one oracle. */
const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

/** What people do with a claim, and where it leads to; each but `evaluate` is one step. */
const moves = [
  { path: 'evaluate', from: ['submitted'], to: 'evaluating' },
  { path: 'confirm', json: { decision: 'approve', reason: 'Seen.' }, from: ['evaluating'], to: 'approved' },
  { path: 'confirm', json: { decision: 'reject', reason: 'Not seen.' }, from: ['evaluating'], to: 'rejected' },
  { path: 'dispute', json: { reason: 'It is wrong.' }, from: ['approved', 'rejected'], to: 'disputed' },
  { path: 'resolve', json: { resolution: 'uphold', reason: 'It is right.' }, from: ['disputed'], to: 'upheld' },
  { path: 'resolve', json: { resolution: 'invalidate', reason: 'It is.' }, from: ['disputed'], to: 'invalidated' },
] as const

type Move = (typeof moves)[number]

/** A generator of chance that plays the same every time (mulberry32). */
const seeded = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const read = async (fixture: ClaimsFixture, id: string): Promise<ClaimDetails> =>
  (await fixture.call('oracle', 'GET', `/v1/claims/${id}`)).body

const perform = (fixture: ClaimsFixture, id: string, move: Move) =>
  fixture.call('oracle', 'POST', `/v1/claims/${id}/${move.path}`, 'json' in move ? move.json : undefined)

const leadsOn = (move: Move, state: ClaimState): boolean => (move.from as readonly string[]).includes(state)

/** Its steps are one chain that the table allows, each with who, when and under which version. */
const expectChain = ({ state, transitions: steps, protocol }: ClaimDetails): void => {
  let before: ClaimState | undefined
  for (const [index, step] of steps.entries()) {
    expect(step).toMatchObject({
      position: index + 1,
      protocol,
      protocolVersion: 1,
      by: expect.stringMatching(/^did:/),
    })
    expect(step.from).toBe(before)
    if (before === undefined) expect(step).toMatchObject({ action: 'submit', to: transitions.submit.to })
    else expect(stateAfter(before, step.action)).toBe(step.to)
    before = step.to
  }
  expect(before).toBe(state)
}

await onEachEngine('claims', engine => {
  test('any operations on claims in any order, sequentially or two at once', async () => {
    await using fixture = await openFixture({
      env: { DATABASE_URL: await engine.emptyDatabase() },
      credentials: 'none',
    })
    const protocol = await fixture.protocol(stoveClaim)
    const { id: collection } = await fixture.collection({ protocol, confirm: true })
    const asset = await fixture.asset(protocol)
    const random = seeded(7)
    for (let round = 0; round < 5; round += 1) {
      let { id, state } = await fixture.claim({ collection, asset, data: { hours: 2 + round } })
      let steps = 1
      for (let step = 0; step < 7; step += 1) {
        const [move, rival] = [moves[random(moves.length)]!, moves[random(moves.length)]!]
        const together = random(3) === 0 ? [move, rival] : [move]
        const answers = await Promise.all(together.map(one => perform(fixture, id, one)))
        const done = together.filter((_, index) => answers[index]?.status === 200)
        for (const { status, body } of answers) {
          if (status !== 200) expect([status, body.code]).toEqual([409, 'claim_state_conflict'])
        }
        if (together.length === 1) expect(done.length === 1).toBe(leadsOn(move, state))
        else expect(done.length >= 1).toBe(together.some(one => leadsOn(one, state)))
        const after = await read(fixture, id)
        expectChain(after)
        steps += done.reduce((sum, { path }) => sum + (path === 'evaluate' ? 2 : 1), 0)
        expect(after.transitions).toHaveLength(steps)
        if (done.length === 0) expect(after.state).toBe(state)
        if (done.length === 1) expect(after.state).toBe(done[0]?.to)
        state = after.state
      }
    }
  })

  test('quotas are enforced under concurrency, in one process or two', async () => {
    const env = { DATABASE_URL: await engine.emptyDatabase(), ORACLE_MNEMONIC: mnemonic }
    await using fixture = await openFixture({ env, credentials: 'none' })
    const protocol = await fixture.protocol(stoveClaim)
    const { id: collection } = await fixture.collection({ protocol, quota: { all: 10, perAsset: 3 } })
    const assets = await Promise.all(Array.from({ length: 5 }, () => fixture.asset(protocol)))
    const submitAll = (at: ClaimsFixture, hours: number) =>
      assets.flatMap(asset =>
        [0, 1, 2].map(more =>
          at.call('farm', 'POST', '/v1/claims', { collection, asset, data: { hours: hours + more } }),
        ),
      )
    const elsewhere = engine.name === 'postgres' ? await openFixture({ env, credentials: 'none' }) : undefined
    const answers = await Promise.all([...submitAll(fixture, 0), ...submitAll(elsewhere ?? fixture, 2)])
    await elsewhere?.[Symbol.asyncDispose]()
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([201, 200, 409].filter(status => answers.some(answer => answer.status === status))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    type Page = { claims: ClaimDetails[] }
    const { body } = await fixture.call<Page>('oracle', 'GET', `/v1/claims?collection=${collection}`)
    expect(body.claims).toHaveLength(10)
    const ofAssets = Object.values(Object.groupBy(body.claims, ({ asset = '' }) => asset))
    for (const claims of ofAssets) expect(claims?.length).toBeLessThanOrEqual(3)
    expect((await fixture.call<{ taken: number }>('oracle', 'GET', `/v1/collections/${collection}`)).body.taken).toBe(
      10,
    )
  })

  test('the agent judges in a job, once, however often it is asked to', async () => {
    const model = scriptedModel([JSON.stringify({ decision: 'approve', reasons: ['It looks right.'], checks: [] })])
    await using fixture = await openFixture({ env: { DATABASE_URL: await engine.emptyDatabase() }, model })
    const protocol = await fixture.protocol(stoveClaim)
    const { id: collection } = await fixture.collection({ protocol, evaluation: 'agent', confirm: false })
    const { id } = await fixture.claim({ collection, asset: await fixture.asset(protocol), data: { hours: 3 } })
    const evaluate = () => fixture.call('oracle', 'POST', `/v1/claims/${id}/evaluate`)
    const answers = await Promise.all([evaluate(), evaluate(), evaluate()])
    expect(answers.map(({ status }) => status)).toContain(202)
    await expect.poll(() => read(fixture, id)).toMatchObject({ state: 'approved', credential: { status: 'issued' } })
    expect(model.calls).toHaveLength(1)
    expectChain(await read(fixture, id))
  })

  test('lists and repeats work as on the other engine', async () => {
    await using fixture = await openFixture({
      env: { DATABASE_URL: await engine.emptyDatabase() },
      credentials: 'none',
    })
    const protocol = await fixture.protocol(stoveClaim)
    const { id: collection } = await fixture.collection({ protocol })
    const body = { collection, asset: await fixture.asset(protocol), data: { hours: 3 } }
    const answers = await Promise.all(Array.from({ length: 6 }, () => fixture.call('farm', 'POST', '/v1/claims', body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 201])
    type Page = { claims: ClaimDetails[] }
    for (const [key, count] of [
      ['farm', 1],
      ['oracle', 1],
      ['reader', 1],
      ['stranger', 0],
    ] as const) {
      const page = await fixture.call<Page>(key, 'GET', '/v1/claims?state=waiting')
      expect(page.body.claims).toHaveLength(count)
    }
  })
})
