import { definePlugin, defineTool, type OraclePlugin, PersonNeeded } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import { type ScriptedStep, scriptedModel } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { groupOf, roomWorld } from './room-world.test.support.ts'
import { MatrixPerson } from './testing/index.test.support.ts'

/** A tool that asks for what a schema says, and tells what it was given. */
const plugin = (given: unknown[]): OraclePlugin =>
  definePlugin({
    name: 'desk',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Desk', summary: 'Asks.', whenToUse: ['somebody wants to be asked'], load: 'always' },
    setup: () => ({
      tools: {
        fill_in: {
          description: 'Asks.',
          input: z.object({ properties: z.record(z.string(), z.unknown()) }),
          effect: 'read',
          async execute(input, { answer }) {
            const { properties } = input as { properties: JsonObject }
            if (!answer) throw new PersonNeeded({ text: 'What is it?', schema: { type: 'object', properties } })
            given.push(answer.accepted ? answer.data : 'refused')
            return { ok: true }
          },
        },
      },
    }),
  })

const asks = (properties: JsonObject): ScriptedStep => ({ tool: 'fill_in', input: { properties } })

test('a tool’s question takes one value from the next message of that user, and other messages are ignored', async () => {
  const given: unknown[] = []
  const model = scriptedModel([
    asks({ litres: { type: 'integer' } }),
    'Noted 1.',
    asks({ kind: { type: 'string', enum: ['Hand pump', 'Solar pump'] } }),
    'Noted 2.',
    asks({ note: { type: 'string' } }),
    'Noted 3.',
    asks({ works: { type: 'boolean' } }),
    'Noted 4.',
    asks({ place: { type: 'string' }, since: { type: 'string' } }),
    'Noted 5.',
    asks({ litres: { type: 'number' } }),
    'Noted 6.',
    'Bye.',
  ])
  await using world = await roomWorld({ model, plugins: [plugin(given)] })
  const { homeserver, ada, bot, waitForText, textsOf } = world
  const room = await ada.directRoom(bot)
  const asked = async (count: number) => {
    await ada.send(room, 'fill it in')
    await homeserver.until(() => textsOf(room).filter(text => text.startsWith('What is it?')).length === count)
  }
  await asked(1)
  await ada.send(room, 'a lot')
  await waitForText(room, /^That answer is not possible\. What is it\?/)
  await ada.send(room, '1,5')
  await homeserver.until(
    () => textsOf(room).filter(text => text.startsWith('That answer is not possible')).length === 2,
  )
  await ada.send(room, '12')
  await waitForText(room, 'Noted 1.')
  await asked(2)
  expect(textsOf(room).at(-1)).toContain('One of: Hand pump, Solar pump.')
  await ada.send(room, 'solar PUMP')
  await waitForText(room, 'Noted 2.')
  await asked(3)
  await ada.send(room, 'cancel')
  await waitForText(room, 'Noted 3.')
  await asked(4)
  await ada.send(room, 'hapana')
  await waitForText(room, 'Noted 4.')
  await ada.send(room, 'and this')
  await waitForText(room, /I cannot ask this here.*Noted 5\.$/s)
  expect(given).toEqual([{ litres: 12 }, { kind: 'Solar pump' }, 'refused', { works: false }, 'refused'])

  const ben = await MatrixPerson.register(homeserver.url, 'ben')
  const group = await groupOf(world, 'Field', [ben])
  await ada.send(group, `${bot}: how much?`)
  await waitForText(group, /^What is it\?/)
  await ada.send(group, 'Ben, do you know?')
  await ben.send(group, '9')
  await ada.send(group, '7,5')
  await waitForText(group, 'Noted 6.')
  expect(textsOf(group)).toHaveLength(2)
  expect(given.at(-1)).toEqual({ litres: 7.5 })
  await ada.send(group, '8')
  await ada.send(group, `${bot}: bye`)
  await waitForText(group, 'Bye.')
  expect(textsOf(group)).toHaveLength(3)
})

test('the input of a long question is shown completely', async () => {
  const text = Array.from({ length: 900 }, (_, place) => `word${place}`).join(' ')
  const model = scriptedModel([{ tool: 'send_matrix_message', input: { room: 'Field', text } }, 'It goes there.'])
  await using world = await roomWorld({ model })
  const { homeserver, ada, bot, waitForText, textsOf } = world
  const ben = await MatrixPerson.register(homeserver.url, 'ben')
  const [room, group] = [await ada.directRoom(bot), await groupOf(world, 'Field', [ben])]
  await ada.send(room, 'tell them')
  await waitForText(room, /Answer yes, always or no\.$/)
  const asked = textsOf(room)
  expect(asked[0]).toMatch(/^Write to the Matrix room Field\n\nroom: "Field"\ntext: "word0 word1 /)
  expect(asked.join(' ').replace(/\s+/g, ' ')).toContain(text)
  await ada.send(room, 'yes')
  await homeserver.until(() => textsOf(group).join(' ') === text)
})

test('a question that is longer than a room shows is cut, can only be denied there, and is approved elsewhere', async () => {
  const text = Array.from({ length: 1_200 }, (_, place) => `${place} ${'x'.repeat(40)}`).join(' ')
  const write = { tool: 'fill_long', input: { text } }
  const written: string[] = []
  const long = definePlugin({
    name: 'long',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Long', summary: 'Writes.', whenToUse: ['somebody writes much'], load: 'always' },
    setup: () => ({
      tools: {
        fill_long: defineTool({
          description: 'Writes.',
          effect: 'write',
          approval: 'user',
          describe: () => 'Write this',
          input: z.object({ text: z.string() }),
          execute: async ({ text }) => written.push(text),
        }),
      },
    }),
  })
  const token = 'operator-token-of-the-tests-01'
  const model = scriptedModel([write, 'You denied it.', write, 'Written.'])
  await using world = await roomWorld({ model, plugins: [long], env: { ORACLE_OPERATOR_TOKEN: token } })
  const { homeserver, ada, bot, waitForText, textsOf, oracle } = world
  const room = await ada.directRoom(bot)
  const cut = /(\d+) more characters are not shown here, .*\n\nAnswer no to deny it here\.$/s
  const refusals = () => textsOf(room).filter(one => cut.test(one)).length
  await ada.send(room, 'write it')
  await homeserver.until(() => refusals() === 1)
  const shown = textsOf(room).join('').replace(cut, '').length
  const hidden = Number(cut.exec(textsOf(room).at(-1) ?? '')?.[1])
  expect(shown).toBeGreaterThan(23_000)
  expect(hidden).toBeGreaterThan(text.length - 24_000)
  for (const [place, yes] of ['yes', 'always'].entries()) {
    await ada.send(room, yes)
    await homeserver.until(() => refusals() === 2 + place)
  }
  expect(written).toEqual([])
  await ada.send(room, 'no')
  await waitForText(room, 'You denied it.')

  await ada.send(room, 'write it again')
  await homeserver.until(() => refusals() === 4)
  const call = async (credential: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
    return oracle.app.request(path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  }
  const [{ did }] = (await (await call(token, '/operator/approvals/pending')).json()).approvals
  const { key } = await (await call(token, '/api-keys', { name: 'ada', did })).json()
  const [{ id, sessionId, question }] = (await (await call(key, '/approvals')).json()).approvals
  expect(question).toContain(text)
  expect(await (await call(key, `/chat/${sessionId}/approvals/${id}`, { decision: 'once' })).text()).toContain(
    'Written.',
  )
  expect(written).toEqual([text])
})

test('the operator sees that a room waits for its user, who may also decide by HTTP as the DID of the room', async () => {
  const token = 'operator-token-of-the-tests-01'
  const given: unknown[] = []
  const model = scriptedModel([asks({ litres: { type: 'integer' } }), 'Noted.'])
  await using world = await roomWorld({ model, plugins: [plugin(given)], env: { ORACLE_OPERATOR_TOKEN: token } })
  const { ada, bot, waitForText, oracle } = world
  const call = async (credential: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
    return oracle.app.request(path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  }
  const room = await ada.directRoom(bot)
  await ada.send(room, 'fill it in')
  await waitForText(room, /^What is it\?/)
  const { approvals } = await (await call(token, '/operator/approvals/pending?channel=matrix')).json()
  expect(approvals).toMatchObject([
    {
      kind: 'question',
      channel: 'matrix',
      tool: 'fill_in',
      addresses: [{ plugin: 'matrix', address: '@ad•••:localhost' }],
    },
  ])
  expect(JSON.stringify(approvals)).not.toContain('What is it')
  const { did } = approvals[0]
  const { key } = await (await call(token, '/api-keys', { name: 'ada', did })).json()
  const mine = (await (await call(key, '/approvals')).json()).approvals
  expect(mine).toMatchObject([{ id: approvals[0].id, channel: 'matrix', question: 'What is it?' }])
  const { id, sessionId } = mine[0]
  const path = `/chat/${encodeURIComponent(sessionId)}/approvals/${id}`
  await (await call(key, path, { decision: 'once', data: { litres: 3 } })).text()
  expect(given).toEqual([{ litres: 3 }])
  expect(await (await call(token, '/operator/approvals/pending')).json()).toEqual({ approvals: [] })
  await ada.send(room, 'cancel')
  await waitForText(room, 'That question is closed.')
  expect(given).toEqual([{ litres: 3 }])
})
