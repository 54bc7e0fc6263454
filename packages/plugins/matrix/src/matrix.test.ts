import { definePlugin, type Host, type OraclePlugin } from '@sibyl/plugin'
import { personNotices, type ServiceOf } from '@sibyl/protocol'
import { checkPlugin, type ScriptedStep, scriptedModel, wholeExport } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { matrix } from './matrix.ts'
import { groupOf, roomWorld } from './room-world.test.support.ts'
import { busy, MatrixPerson } from './testing/index.test.support.ts'

describe('keeps the rules of all plugins:', () => {
  const env = { MATRIX_BASE_URL: 'http://127.0.0.1:9', MATRIX_ORACLE_ADMIN_ACCESS_TOKEN: 'syt_1' }
  const samples = { room: '#field:example.org', text: 'The pump runs' }
  for (const check of checkPlugin(() => matrix(), { env, samples })) test(check.name, check.run)
})

/** Answers with what it was asked. */
const echo: ScriptedStep = ({ prompt }) => {
  const last = prompt.at(-1)
  const part = last?.role === 'user' ? last.content.find(it => it.type === 'text') : undefined
  return `You said: ${part?.type === 'text' ? part.text : ''}`
}
const echoing = (times = 20) => scriptedModel(Array.from({ length: times }, () => echo))

const plugin = (paid: number[]): OraclePlugin =>
  definePlugin({
    name: 'desk',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Desk', summary: 'Pays.', whenToUse: ['somebody pays'], load: 'always' },
    setup: () => ({
      tools: {
        pay: {
          description: 'Pays.',
          input: z.object({ amount: z.number() }),
          effect: 'write',
          approval: 'user',
          describe: input => `Pay ${(input as { amount: number }).amount} €?`,
          execute: async input => paid.push((input as { amount: number }).amount),
        },
      },
    }),
  })

test('a direct message is answered, edits and notices are not, a thread is a session of its own', async () => {
  const model = echoing()
  await using world = await roomWorld({ model })
  const { ada, bot, waitForText, textsOf, oracle } = world
  await oracle.app.ready
  const room = await ada.directRoom(bot)
  const first = await ada.send(room, 'hello')
  await waitForText(room, 'You said: hello')
  await ada.send(room, {
    msgtype: 'm.text',
    body: '* hullo',
    'm.new_content': { msgtype: 'm.text', body: 'hullo' },
    'm.relates_to': { rel_type: 'm.replace', event_id: first },
  })
  await ada.send(room, { msgtype: 'm.notice', body: 'I am a bot' })
  const thread = { 'm.relates_to': { rel_type: 'm.thread', event_id: first } }
  await ada.send(room, { msgtype: 'm.text', body: 'in a thread', ...thread })
  const answer = await waitForText(room, 'You said: in a thread')
  expect(answer.content['m.relates_to']).toMatchObject({ rel_type: 'm.thread', event_id: first })
  await ada.send(room, 'and again')
  await waitForText(room, 'You said: and again')
  expect(textsOf(room)).toEqual(['You said: hello', 'You said: in a thread', 'You said: and again'])
  const prompts = model.calls.map(({ prompt }) => JSON.stringify(prompt))
  expect(prompts[1]).not.toContain('hello')
  expect(prompts[2]).toContain('hello')
})

test('in a group it answers messages that address it, and only uses the talk of that group', async () => {
  const model = echoing()
  await using world = await roomWorld({ model })
  const { homeserver, ada, bot, waitForText, textsOf } = world
  const ben = await MatrixPerson.register(homeserver.url, 'ben')
  const room = await groupOf(world, 'Field team', [ben])
  const other = await groupOf(world, 'Kitchen', [ben])
  await ada.send(room, 'the pump in Kilifi runs again')
  const secret = await ben.send(room, 'the code is 1234')
  await ada.request('PUT', `rooms/${encodeURIComponent(room)}/redact/${encodeURIComponent(secret)}/1`, {})
  await ben.send(room, 'oracles are nice, but this is not for you')
  await ada.send(room, { msgtype: 'm.text', body: 'what runs?', 'm.mentions': { user_ids: [bot] } })
  const answer = await waitForText(room, /what runs\?/)
  await ada.send(room, {
    msgtype: 'm.text',
    body: 'more',
    'm.relates_to': { 'm.in_reply_to': { event_id: answer.event_id } },
  })
  await waitForText(room, /more/)
  await ben.send(other, `${bot}: and here?`)
  await waitForText(other, /You said: and here\?/)
  expect([textsOf(room).length, textsOf(other).length]).toEqual([2, 1])
  const [first, , third] = model.calls.map(({ prompt }) => JSON.stringify(prompt))
  expect(first).toContain('the pump in Kilifi runs again')
  expect(first).not.toContain('1234')
  expect(third).not.toContain('Kilifi')
})

test('an answer grows in the room, and a long one is split', async () => {
  const gate = Promise.withResolvers<void>()
  const paragraph = `${'word '.repeat(300).trim()}.`
  const long = Array.from({ length: 4 }, () => paragraph).join('\n\n')
  await using world = await roomWorld({
    model: scriptedModel([['It begins ', { wait: gate.promise }, 'and ends.'], long]),
  })
  const { homeserver, ada, bot, waitForText, textsOf } = world
  const room = await ada.directRoom(bot)
  await ada.send(room, 'slowly')
  const begun = await waitForText(room, 'It begins')
  gate.resolve()
  expect((await waitForText(room, /^It begins\s+and ends\.$/)).event_id).toBe(begun.event_id)
  await homeserver.until(() => homeserver.requests('typing').length >= 2)
  await ada.send(room, 'at length')
  await homeserver.until(() => textsOf(room).slice(1).join('\n\n') === long)
  expect(textsOf(room).length).toBe(3)
})

test('a call waits for the yes of the person who was asked', async () => {
  const paid: number[] = []
  const model = scriptedModel([{ tool: 'pay', input: { amount: 5 } }, echo, 'Paid.'])
  await using world = await roomWorld({ model, plugins: [plugin(paid)] })
  const { homeserver, ada, bot, waitForText } = world
  const ben = await MatrixPerson.register(homeserver.url, 'ben')
  const room = await groupOf(world, 'Desk', [ben])
  await ada.send(room, `${bot}: pay 5`)
  await waitForText(room, /Pay 5 €\?\n\namount: 5\n\nAnswer yes, always or no\./)
  await ben.send(room, 'yes')
  await ben.send(room, `${bot}: who am I?`)
  await waitForText(room, /who am I/)
  expect(paid).toEqual([])
  await ada.send(room, 'Yes!')
  await waitForText(room, 'Paid.')
  expect(paid).toEqual([5])
})

test('notices go where a person may write, once', async () => {
  const seen: { notices?: ServiceOf<typeof personNotices.matrix>; host?: Host } = {}
  const reader = definePlugin({
    name: 'reader',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Reader', summary: 'Tells.', whenToUse: ['a test does'] },
    requires: ['matrix'],
    setup(host) {
      seen.notices = host.service(personNotices.matrix)
      seen.host = host
      return {}
    },
  })
  await using world = await roomWorld({
    model: echoing(),
    plugins: [reader],
    env: { MATRIX_SHARED_ROOMS: '#notices:localhost' },
  })
  const { homeserver, ada, bot, waitForText, textsOf, oracle } = world
  const notices = seen.notices!
  const own = await ada.directRoom(bot)
  await ada.send(own, 'hello')
  await waitForText(own, 'You said: hello')
  const ben = await MatrixPerson.register(homeserver.url, 'ben')
  const shared = await ben.createRoom({
    name: 'Notices',
    room_alias_name: 'notices',
    preset: 'public_chat',
    invite: [bot],
  })
  await ben.send(shared, `${bot}: are you there?`)
  await waitForText(shared, /are you there/)
  const { did } = oracle.actor
  expect(await notices.addressOf({ did, to: '#notices:localhost' })).toEqual({ to: shared, shown: 'Notices' })
  await expect(notices.addressOf({ did, to: own })).rejects.toMatchObject({ code: 'matrix_room_unknown' })
  await expect(notices.addressOf({ did })).rejects.toMatchObject({ code: 'matrix_room_missing' })
  homeserver.fault({ on: ['send'], times: 1, wrong: busy(50) })
  for (const text of ['The report is there.', 'Not this one.']) {
    await notices.send({ did, to: shared, text, idempotencyKey: 'report-1' })
  }
  await notices.send({ did, to: shared, text: 'Another.', idempotencyKey: 'report-2' })
  await waitForText(shared, 'Another.')
  expect(textsOf(shared).slice(1)).toEqual(['The report is there.', 'Another.'])

  const { people, identity } = seen.host!
  const adaDid = identity.pairwiseDid('matrix', ada.userId)
  expect(await notices.addressOf({ did: adaDid })).toMatchObject({ to: own })
  await expect(notices.addressOf({ did: adaDid, to: shared })).rejects.toMatchObject({ code: 'matrix_room_unknown' })
  expect(await wholeExport(people, adaDid)).toMatchObject({ matrix: { userId: ada.userId } })
  await people.erase(adaDid)
  expect(await wholeExport(people, adaDid)).not.toHaveProperty('matrix')
})

test('a proxy without its homeserver is retried, an expired token replaced for the same device, and a wrong password reported with its variable', async () => {
  await using world = await roomWorld({
    model: echoing(),
    before: server => server.fault({ on: ['login'], times: 1, wrong: { status: 404, body: '404 page not found' } }),
  })
  const { homeserver, oracle, ada, bot, waitForText } = world
  const state = async () => oracle.app.plugins().find(({ name }) => name === 'matrix')
  await oracle.app.ready
  expect(await state()).toMatchObject({ state: 'loaded' })
  homeserver.expireTokens(bot, 'soft')
  const room = await ada.directRoom(bot)
  await ada.send(room, 'after the token ended')
  await waitForText(room, 'You said: after the token ended')
  expect(
    new Set([...homeserver.state.data.logins.values()].filter(({ userId }) => userId === bot).map(it => it.deviceId))
      .size,
  ).toBe(1)

  await using wrong = await roomWorld({ env: { MATRIX_ORACLE_ADMIN_PASSWORD: 'a wrong password' } })
  await wrong.oracle.app.ready
  expect(wrong.oracle.app.plugins().find(({ name }) => name === 'matrix')).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('MATRIX_ORACLE_ADMIN_PASSWORD'),
  })
})
