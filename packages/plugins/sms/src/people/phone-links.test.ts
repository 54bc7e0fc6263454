import { createSigningKey, mintDelegation, mintInvocation } from '@sibyl/identity'
import { testActor } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { smsFixture } from '../testing/sms-fixture.test.support.ts'

const [phone, other] = ['+260971234567', '+260977654321']

type Fixture = Awaited<ReturnType<typeof smsFixture>>
type Caller = Pick<Fixture['controller'], 'request'>

/** Somebody to whom the controller granted some abilities. */
const granted = async (fixture: Fixture, abilities: readonly string[]) => {
  const { app } = fixture.oracle
  const key = createSigningKey()
  const audience = app.identity.did!
  const resource = `oracle:${audience}`
  const now = () => fixture.clock.now()
  const capabilities = abilities.map(ability => ({ resource, ability }))
  const proof = await mintDelegation({ key: fixture.controller.key, audience: key.did, capabilities, now })
  return {
    did: key.did,
    async request(path: string, { json, ...init }: RequestInit & { readonly json?: unknown } = {}) {
      const token = await mintInvocation({ key, audience, resource, abilities, proofs: [proof], now })
      return app.request(path, {
        ...init,
        method: init.method ?? (json === undefined ? 'GET' : 'POST'),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
    },
  }
}

const begin = async (caller: Caller, to = phone) => {
  const answer = await caller.request('/sms/phones', { json: { to } })
  return { status: answer.status, ...((await answer.json()) as { linked?: boolean; code?: string }) }
}

const confirm = async (caller: Caller, code: string, to = phone) => {
  const answer = await caller.request('/sms/phones/confirm', { json: { to, code } })
  return { status: answer.status, ...((await answer.json()) as { id?: string; phone?: string; code?: string }) }
}

const codeIn = async (fixture: Fixture): Promise<string> => {
  await expect.poll(async () => (await fixture.outbox()).some(({ purpose }) => purpose === 'code')).toBe(true)
  const [newest] = (await fixture.outbox()).filter(({ purpose }) => purpose === 'code')
  return /\d{6}/.exec(newest?.text ?? '')?.[0] ?? ''
}

const wrong = (code: string): string => (code === '000000' ? '000001' : '000000')

describe('with ORACLE_ACCESS=delegated', () => {
  const env = { ORACLE_ACCESS: 'delegated' }
  const abilities = ['chat/*', 'sms/link', 'sms/read']

  test('nothing is sent to a phone before its code was entered, in any way', async () => {
    await using fixture = await smsFixture({ env })
    const { notices } = fixture.seen
    const person = await granted(fixture, abilities)
    const { did } = person
    for (const attempt of [
      notices.addressOf({ did, to: phone }),
      notices.send({ did, to: phone, text: 'Buy now', idempotencyKey: 'n' }),
      notices.send({ did, to: 'own', text: 'Buy now', idempotencyKey: 'o' }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: expect.stringMatching(/^sms_phone_(not_own|unknown)$/) })
    expect(await fixture.outbox()).toEqual([])

    expect(await begin(person)).toMatchObject({ status: 200, linked: false })
    const code = await codeIn(fixture)
    expect((await fixture.outbox()).map(({ text }) => text)).toEqual([
      expect.stringContaining('It lets its owner send SMS'),
    ])
    expect(await confirm(person, wrong(code))).toMatchObject({ status: 400, code: 'sms_code_invalid' })
    const stranger = await granted(fixture, abilities)
    expect(await confirm(stranger, code)).toMatchObject({ status: 400, code: 'sms_code_invalid' })
    expect(await confirm(person, code)).toMatchObject({ status: 200, phone: '+26097•••4567' })
    expect(await confirm(person, code)).toMatchObject({ status: 400 })
    expect(await begin(person)).toMatchObject({ linked: true })

    const { to, shown } = await notices.addressOf({ did, to: phone })
    expect([to, shown].join()).not.toContain(phone.slice(1))
    expect(await notices.addressOf({ did })).toEqual({ to, shown })
    fixture.clock.jump(1_000)
    await notices.send({ did, to, text: 'Your report', idempotencyKey: 'r' })
    await expect.poll(async () => (await fixture.outbox()).map(({ purpose }) => purpose)).toEqual(['notice', 'code'])
    await expect(notices.send({ did: stranger.did, to, text: 'x', idempotencyKey: 's' })).rejects.toMatchObject({
      code: 'sms_phone_unknown',
    })
    await expect(notices.addressOf({ did, to: other })).rejects.toMatchObject({ code: 'sms_phone_not_own' })

    const listed = await fixture.operator('/operator/people/find', {
      method: 'POST',
      body: JSON.stringify({ address: phone }),
    })
    expect(await listed.json()).toMatchObject({
      people: [{ did, channels: [{ plugin: 'sms', address: '+26097•••4567' }] }],
    })

    const { phones } = (await (await person.request('/sms/phones')).json()) as { phones: { id: string }[] }
    const path = `/sms/phones/${phones[0]?.id}`
    expect((await stranger.request(path, { method: 'DELETE' })).status).toBe(404)
    expect((await person.request(path, { method: 'DELETE' })).status).toBe(204)
    await expect(notices.send({ did, to, text: 'more', idempotencyKey: 't' })).rejects.toMatchObject({
      code: 'sms_phone_unknown',
    })
  })

  test('a code is good five times and ten minutes, one phone gets three a day, and none where SMS are unwanted', async () => {
    await using fixture = await smsFixture({ env })
    const [ada, ben] = [await granted(fixture, abilities), await granted(fixture, abilities)]
    await begin(ada)
    const first = await codeIn(fixture)
    for (let place = 0; place < 5; place += 1) expect((await confirm(ada, wrong(first))).status).toBe(400)
    expect((await confirm(ada, first)).status).toBe(400)
    fixture.clock.jump(1_000)
    await begin(ben)
    const second = await codeIn(fixture)
    fixture.clock.jump(600_001)
    expect((await confirm(ben, second)).status).toBe(400)
    await begin(ben)
    expect(await begin(ada)).toMatchObject({ status: 429, code: 'sms_limit_reached' })
    expect(JSON.stringify(await fixture.seen.people.export(ada.did))).not.toContain(first)
    await fixture.seen.people.erase(ada.did)
    await fixture.seen.people.erase(ben.did)
    expect(await begin(ada), 'after an erasure').toMatchObject({ status: 429 })
    await fixture.write(other, 'STOP')
    expect(await begin(ada, other)).toMatchObject({ status: 409, code: 'sms_opted_out' })
  })

  test('a person links no more than ten phones', async () => {
    await using fixture = await smsFixture({ env })
    const person = await granted(fixture, abilities)
    for (let place = 0; place < 10; place += 1)
      expect(await begin(person, `+26097100000${place}`)).toMatchObject({ status: 200 })
    expect(await begin(person)).toMatchObject({ status: 409, code: 'sms_links_full' })
  })

  test('send_sms only reaches others with sms/send-others', async () => {
    await using fixture = await smsFixture({ env })
    const send = async (scopes: readonly string[]) => {
      const person = await granted(fixture, scopes)
      const asked = await person.request('/chat', { json: { id: 'one', message: `Send an SMS to ${phone}: Hello` } })
      const id = /"approvalId":"([^"]+)"/.exec(await asked.text())?.[1]
      const decided = await person.request(`/chat/one/approvals/${id}`, { json: { decision: 'once' } })
      return decided.text()
    }
    expect(await send(['chat/*', 'sms/link'])).toContain('is not linked to you')
    expect(await fixture.outbox()).toEqual([])
    expect(await send(['chat/*', 'sms/*'])).toContain('was queued')
  })
})

describe('with ORACLE_ACCESS=open', () => {
  test('a caller reaches the phone that they write from, and no other, whatever abilities they give themselves', async () => {
    await using fixture = await smsFixture()
    const { notices, didOf } = fixture.seen
    const { did, request } = testActor(fixture.oracle.app, () => fixture.clock.now())
    expect(await begin({ request })).toMatchObject({ status: 403, code: 'sms_phone_not_own' })
    await expect(notices.addressOf({ did, to: phone })).rejects.toMatchObject({ code: 'sms_phone_not_own' })
    const message = `Send an SMS to ${phone}: Hello`
    const asked = await (await request('/chat', { json: { id: 'one', message } })).text()
    const id = /"approvalId":"([^"]+)"/.exec(asked)?.[1]
    const answer = await (await request(`/chat/one/approvals/${id}`, { json: { decision: 'once' } })).text()
    expect(answer).toContain('you can only send SMS to the phone that you write from')
    expect(await fixture.outbox()).toEqual([])

    const own = didOf(phone)
    const { to } = await notices.addressOf({ did: own, to: phone })
    await notices.send({ did: own, to, text: 'Yours', idempotencyKey: 'own' })
    await expect.poll(fixture.states).toEqual(['sent'])
    await expect(notices.addressOf({ did: own, to: other })).rejects.toMatchObject({ code: 'sms_phone_not_own' })
  })

  test('a controller links a phone in the conversation', async () => {
    await using fixture = await smsFixture()
    const asked = await fixture.chat(`Link my phone ${phone}`, 'one')
    const question = asked.events.find(({ type }) => type === 'tool-approval-request')
    expect(JSON.stringify(question)).toContain(`Send a code by SMS to ${phone}`)
    const path = `/chat/one/approvals/${question?.approvalId}`
    await (await fixture.controller.request(path, { json: { decision: 'once' } })).text()
    const code = await codeIn(fixture)
    expect((await fixture.chat(`The code for ${phone} is ${code}`, 'one')).text).toContain('was linked to you')
    expect(await begin(fixture.controller)).toMatchObject({ linked: true })
  })
})
