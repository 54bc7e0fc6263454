import { credentials } from '@sibyl/plugin-credentials'
import { entities } from '@sibyl/plugin-entities'
import { checkPlugin, readStream, testActor } from '@sibyl/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claims } from './claims.ts'
import { type ClaimsFixture, dids, openFixture, stoveClaim } from './claims-fixture.test.helper.ts'

describe('keeps the rules of all plugins:', () => {
  const samples = { state: 'approved', data: '{"hours":3}', reason: 'the stove was in use', collection: 'reports' }
  const others = { with: [() => entities(), () => credentials()], samples }
  for (const check of checkPlugin(() => claims(), others)) test(check.name, check.run)
})

describe('in a conversation without a model', () => {
  let fixture: ClaimsFixture
  let asset: string
  let collection: string
  beforeAll(async () => {
    fixture = await openFixture()
    const { did } = fixture.oracle.actor
    const protocol = await fixture.protocol(stoveClaim)
    asset = await fixture.asset(protocol, { controller: did })
    collection = (await fixture.collection({ protocol, evaluators: [did] })).id
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const send = (text: string, session = 's1') => fixture.oracle.chat(text, { session })

  const approve = async (text: string, session = 's1') => {
    const asked = await send(text, session)
    const question = asked.events.find(({ type }) => type === 'tool-approval-request')
    if (!question) throw new Error(`nothing was asked: ${asked.text}`)
    const path = `/chat/${session}/approvals/${question.approvalId}`
    const decided = await readStream(await fixture.oracle.actor.request(path, { json: { decision: 'once' } }))
    return { question, text: decided.text }
  }

  test('claims are submitted, listed, evaluated and disputed; what writes waits for approval', async () => {
    const submitted = (await approve(`Submit a claim about ${asset} with {"hours": 4}`)).text
    const id = /The claim ([0-9a-f-]{36}) is submitted\./.exec(submitted)?.[1] ?? submitted
    expect((await send('Which claims are waiting?')).text).toContain(
      `1 waiting claim:\n${id}: claim about ${asset}, submitted`,
    )
    expect((await send('Which claims are approved?')).text).toContain('There are no approved claims.')

    const { question, text } = await approve(`Evaluate claim ${id}`)
    expect(JSON.stringify(question)).toContain(id)
    expect(text).toContain('approved')
    expect((await send('List the approved claims')).text).toContain(id)

    const disputed = await approve(`Dispute claim ${id} because the stove was sold`)
    expect(disputed.text).toBe(`The claim ${id} is disputed.`)
    expect(disputed.question?.reason).toContain('reason: "the stove was sold"')
    const { body } = await fixture.call('oracle', 'GET', `/v1/claims/${id}`)
    expect(body).toMatchObject({ state: 'disputed', channel: 'chat', submitter: fixture.oracle.actor.did })
    expect(body.transitions.at(-1)).toMatchObject({ why: 'the stove was sold' })
  })

  test('a key that only has the ability to chat evaluates nothing, regardless of the DID that it acts as', async () => {
    const chatKeys = { chat: 'chat-key-of-a-test', judge: 'judge-key-of-a-test' }
    const list = `chat:${chatKeys.chat}:chat/*:${dids.maker},judge:${chatKeys.judge}:chat/*+claims/evaluate:${dids.maker}`
    await using keyed = await openFixture({ env: { ORACLE_API_KEYS: list } })
    const own = await keyed.protocol(stoveClaim)
    const { id: judged } = await keyed.collection({ protocol: own, evaluators: [dids.maker] })
    const claim = await keyed.claim({ collection: judged, asset: await keyed.asset(own), data: { hours: 4 } })
    const evaluate = async (key: string) => {
      const post = async (path: string, json: object) =>
        readStream(
          await keyed.oracle.app.request(path, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: JSON.stringify(json),
          }),
        )
      const { events, text } = await post('/chat', { id: key, message: `Evaluate claim ${claim.id}` })
      const question = events.find(({ type }) => type === 'tool-approval-request')
      if (!question) return text
      return (await post(`/chat/${key}/approvals/${question.approvalId}`, { decision: 'once' })).text
    }
    expect(await evaluate(chatKeys.chat)).toContain(
      'It requires the ability claims/evaluate, which this caller does not have.',
    )
    expect(await evaluate(chatKeys.judge)).toContain('The claim is approved')
  })

  test('the collection may be named', async () => {
    const { text } = await approve(`Submit a claim about ${asset} in ${collection} with {"hours": 5}`, 's2')
    expect(text).toMatch(/^The claim [0-9a-f-]{36} is submitted\.$/)
  })

  test('problems are reported in sentences', async () => {
    const { text } = await approve(`Submit a claim about ${asset} with {"hours": "four"}`, 's3')
    expect(text).toContain('/data/hours: Must be a number, but is a string.')
  })

  test('others neither see nor touch what is not theirs', async () => {
    const other = testActor(fixture.oracle.app)
    const ask = async (text: string) => (await other.request('/chat', { json: { message: text } })).text()
    expect(await ask('Which claims are there?')).toContain('There are no claims.')
    const { id } = await fixture.claim({
      collection: (await openCollection()).id,
      asset: await own(),
      data: { hours: 9 },
    })
    const asked = await readStream(
      await other.request('/chat', { json: { id: 'o1', message: `Dispute claim ${id} because I do not like it` } }),
    )
    const question = asked.events.find(({ type }) => type === 'tool-approval-request')
    const decided = await other.request(`/chat/o1/approvals/${question?.approvalId}`, { json: { decision: 'once' } })
    expect((await readStream(decided)).text).toContain('The claim is unknown')
  })

  const openCollection = async () => fixture.collection({ protocol: await protocolOf(), submitters: 'anyone' })
  const protocolOf = async () => (ownProtocol ??= await fixture.protocol(stoveClaim))
  const own = async () => fixture.asset(await protocolOf())
  let ownProtocol: string | undefined
})
