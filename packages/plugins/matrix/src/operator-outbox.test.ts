import { sharePostgres } from '@sibyl/storage/testing'
import { scriptedModel } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { noticeSender } from './notice-sender.test.support.ts'
import { roomWorld } from './room-world.test.support.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const token = 'operator-token-of-the-tests-01'
const forbidden = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ errcode: 'M_FORBIDDEN', error: 'You may not write here' }),
}

test.each(['sqlite', ...(postgres ? ['postgres'] : [])])(
  'the operator sees messages that a room rejected, without their texts, and retries them (%s)',
  async engine => {
    const teller = noticeSender()
    const url: Record<string, string> =
      engine === 'postgres' ? { DATABASE_URL: (await postgres?.createDatabase()) ?? '' } : {}
    await using world = await roomWorld({
      model: scriptedModel(['hello']),
      plugins: [teller.plugin],
      env: { ORACLE_OPERATOR_TOKEN: token, ...url },
    })
    const { homeserver, ada, bot, waitForText, textsOf, oracle } = world
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const outbox = async () => {
      const { outboxes } = await (await oracle.app.request('/operator/outboxes', { headers })).json()
      return outboxes.find(({ name }: { name: string }) => name === 'matrix/messages')
    }
    const retry = async () => {
      const body = JSON.stringify({ name: 'matrix/messages' })
      return (await oracle.app.request('/operator/outboxes/retry', { method: 'POST', headers, body })).json()
    }
    const room = await ada.directRoom(bot)
    await ada.send(room, 'hi')
    await waitForText(room, 'hello')
    const found = await oracle.app.request('/operator/people/find', {
      method: 'POST',
      headers,
      body: JSON.stringify({ address: ada.userId }),
    })
    const { did } = (await found.json()).people[0]
    expect(await outbox()).toEqual({ name: 'matrix/messages', pending: 0, dead: 0, ofPlugin: true })
    homeserver.fault({ on: ['send'], user: bot, times: 1, wrong: forbidden })
    await teller.notices().send({ did, to: room, text: 'a confidential notice', idempotencyKey: 'one' })
    await expect.poll(async () => (await outbox()).dead).toBe(1)
    expect(JSON.stringify(await outbox())).not.toContain('confidential')
    expect(await retry()).toEqual({ retried: 1, more: false })
    await waitForText(room, 'a confidential notice')
    await expect.poll(outbox).toEqual({ name: 'matrix/messages', pending: 0, dead: 0, ofPlugin: true })
    expect(await retry()).toEqual({ retried: 0, more: false })
    expect(textsOf(room)).toEqual(['hello', 'a confidential notice'])
  },
)
