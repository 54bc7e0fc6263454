import { scriptedModel, testApp } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { sms } from '../sms.ts'
import { smsFixture } from '../testing/sms-fixture.test.support.ts'
import { freePort, isKannelInstalled, startKannel } from '../testing/start-kannel.test.support.ts'
import { callSecret, startProvider } from '../testing/start-provider.test.support.ts'

const phone = '+260971234567'

describe('by the forms of smsbox:', async () => {
  const provider = await startProvider()
  const fixture = await smsFixture({ env: provider.env.kannel, model: scriptedModel(['Dry.', 'Wet.', 'Windy.']) })
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })
  let count = 0
  const send = async (text: string, modes: readonly string[] = []) => {
    await provider.report({ modes })
    fixture.clock.jump(3_600_000)
    const { length } = await provider.taken()
    await fixture.seen.sender.send({ to: phone, text, idempotencyKey: `key-${++count}`, sensitive: false })
    return {
      taken: async () => (await provider.taken()).slice(length),
    }
  }
  const becomes = (state: string) => expect.poll(async () => (await fixture.outbox())[0]?.state).toBe(state)
  const call = (path: string, query: string, secret = callSecret) =>
    fixture.oracle.app.request(`${path}?secret=${secret}&${query}`)
  const report = async (query: string) => {
    const [{ id } = { id: '' }] = await fixture.outbox()
    expect((await call('/sms/reports/kannel', `id=${id}&${query}`)).status).toBe(200)
  }
  const state = async () => (await fixture.outbox())[0]?.state

  test('a text is sent as GSM-7 if it fits, else as UCS-2, with the address for its reports', async () => {
    const plain = await send('Dry till nine, 5 €')
    await becomes('sent')
    const [{ id } = { id: '' }] = await fixture.outbox()
    expect(await plain.taken()).toMatchObject([
      {
        text: 'Dry till nine, 5 €',
        key: '0',
        path: `http://127.0.0.1:4000/sms/reports/kannel?secret=${callSecret}&id=${id}&status=%d&reason=%A`,
      },
    ])
    const other = await send('ደረቅ')
    await becomes('sent')
    expect(await other.taken()).toMatchObject([{ text: 'ደረቅ', key: '2' }])
  })

  test('reports that come twice, late and out of order lead to one end', async () => {
    await send('Hello')
    await becomes('sent')
    for (const status of ['4', '1', '8', '1', '2']) await report(`status=${status}&reason=`)
    expect(await state()).toBe('delivered')
    await send('Hello')
    await becomes('sent')
    await report('status=16&reason=NACK%2F5%2FUnknown+subscriber')
    expect((await fixture.outbox())[0]).toMatchObject({
      state: 'failed',
      reason: 'the carrier rejected it: 5/Unknown subscriber',
    })
    await send('Hello')
    await becomes('sent')
    await report('status=2&reason=id%3A7+sub%3A001+stat%3AUNDELIV+err%3A005+text%3AHello')
    expect((await fixture.outbox())[0]?.reason).toBe('the carrier could not deliver it: UNDELIV 005')
    await send('Hello')
    await becomes('sent')
    await report(`status=2&reason=${encodeURIComponent('<b>\u0000')}`)
    expect((await fixture.outbox())[0]?.reason).toBe('the carrier could not deliver it')
  })

  test('a message that Kannel rejected is sent again, and one that it may have accepted is not', async () => {
    const busy = await send('Hello', ['no-carrier'])
    await expect
      .poll(async () => (await fixture.outbox())[0])
      .toMatchObject({ state: 'waiting', attempts: 1, reason: 'Kannel has no connection for it' })
    expect(await busy.taken()).toEqual([])
    await fixture.clock.advance(60_000)
    await becomes('sent')
    expect(await busy.taken()).toHaveLength(1)
    for (const mode of ['500', 'reset', 'garbage']) {
      const lost = await send('Hello', [mode])
      await becomes('unknown')
      fixture.clock.jump(86_400_000)
      expect(await lost.taken()).toHaveLength(1)
      await report('status=1&reason=')
      expect(await state()).toBe('delivered')
    }
    const unwanted = await send('Hello', ['400'])
    await becomes('failed')
    expect(await unwanted.taken()).toEqual([])
  })

  test('a message is received once, in the encoding that Kannel names', async () => {
    const inbound = (query: string, secret?: string) => call('/sms/inbound/kannel', query, secret)
    expect((await inbound('id=mo-1&from=%2B260971234567&text=Is+it+dry%3F&charset=UTF-8')).status).toBe(200)
    expect((await inbound('id=mo-1&from=%2B260971234567&text=Is+it+dry%3F&charset=UTF-8')).status).toBe(200)
    const utf16 = [...Buffer.from('ደረቅ?', 'utf16le').swap16()].map(byte => `%${byte.toString(16).padStart(2, '0')}`)
    expect((await inbound(`id=mo-2&from=260971234567&text=${utf16.join('')}&charset=UTF-16BE`)).status).toBe(200)
    expect((await inbound('id=mo-3&from=260971234567&text=caf%E9&charset=ISO-8859-1')).status).toBe(200)
    const did = fixture.seen.didOf(phone)
    const texts = async () => JSON.stringify(await fixture.seen.people.export(did))
    await expect.poll(texts).toContain('ደረቅ?')
    expect(await texts()).toContain('café')
    const answers = async () => (await fixture.outbox()).filter(({ purpose }) => purpose === 'answer').length
    await expect.poll(answers).toBe(3)
    expect((await inbound('id=mo-4&from=1&text=x', 'wrong-wrong-wrong')).status).toBe(401)
    expect((await inbound('id=mo-4&text=x')).status).toBe(400)
    expect((await inbound(`id=mo-4&from=1&text=${'%41'.repeat(30_000)}`)).status).toBeGreaterThanOrEqual(400)
  })
})

test('a boot without the user of Kannel names the variable', async () => {
  await expect(
    testApp({
      plugins: [sms()],
      env: { SMS_PROVIDER: 'kannel', KANNEL_PASSWORD: 'x', SMS_INBOUND_SECRET: callSecret },
    }),
  ).rejects.toThrow("Plugin 'sms' env validation failed for 'KANNEL_USERNAME'")
})

describe.skipIf(!isKannelInstalled)('with Kannel 1.4.5 and its fake SMS center:', () => {
  test('a long text is sent in three parts, its reports arrive, and messages of a phone are answered', async () => {
    const port = await freePort()
    const oracleUrl = `http://127.0.0.1:${port}`
    await using kannel = await startKannel(oracleUrl)
    const env = { ...kannel.env, KANNEL_CALLBACK_URL: oracleUrl }
    await using fixture = await smsFixture({ env, model: scriptedModel(['It is dry in Lusaka.']) })
    await fixture.oracle.app.listen({ host: '127.0.0.1', port })
    const handset = await kannel.phone(phone, 'Is it dry?')
    await handset.waitForText(/Got message 1: <20880 \+260971234567 text It is dry in Lusaka\.>/)
    await expect.poll(fixture.states).toEqual(['delivered'])
    fixture.clock.jump(3_600_000)
    const text = `The team comes at nine. ${'Bring the pump. '.repeat(25)}`
    await fixture.seen.sender.send({ to: phone, text, idempotencyKey: 'long', sensitive: false })
    await handset.waitForText(/Got message 4/)
    await expect.poll(fixture.states).toEqual(['delivered', 'delivered'])
    const output = JSON.stringify(await fixture.seen.people.export(fixture.seen.didOf(phone)))
    expect(output).toContain('Is it dry?')
  })
})
