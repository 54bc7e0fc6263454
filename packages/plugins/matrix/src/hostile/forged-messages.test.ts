import { definePlugin, type OraclePlugin } from '@sibyl/plugin'
import { type ScriptedStep, scriptedModel } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type EncryptedWorld, encryptedWorld } from '../encrypted-world.test.support.ts'
import type { EventContent } from '../testing/index.test.support.ts'
import { SecondUser } from '../testing/second-user.test.support.ts'

/** A tool that pays after an approval, and records each payment. */
const bank = (payments: number[]): OraclePlugin =>
  definePlugin({
    name: 'bank',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Bank', summary: 'Pays.', whenToUse: ['a test pays'], load: 'always' },
    setup: () => ({
      tools: {
        pay: {
          description: 'Pays an amount.',
          input: z.object({ amount: z.number() }),
          effect: 'write',
          approval: 'user',
          async execute({ amount }) {
            payments.push(amount)
            return { ok: true }
          },
        },
      },
    }),
  })

/** A model that pays the numbers of messages, and repeats other messages. */
const payer = () =>
  scriptedModel(
    Array.from(
      { length: 20 },
      (): ScriptedStep =>
        ({ prompt }) => {
          if (prompt.at(-1)?.role === 'tool') return 'Paid.'
          const text = JSON.stringify(prompt.findLast(({ role }) => role === 'user')?.content)
          const amount = /pay (\d+)/.exec(text)?.[1]
          return amount === undefined ? `You said: ${text}` : { tool: 'pay', input: { amount: Number(amount) } }
        },
    ),
  )

interface BankWorld extends EncryptedWorld {
  readonly payments: number[]
  /** Waits until the room of Ben shows a text, as often as it says. */
  shows(text: string, times?: number): Promise<void>
  /** Returns the content of a message that a client sends and the homeserver keeps back. */
  keptBack(user: SecondUser, send: () => Promise<unknown>): Promise<EventContent>
  /** Returns whether the log has a line for a message that was not read. */
  logs(text: string): boolean
}

const start = async (): Promise<BankWorld> => {
  const payments: number[] = []
  const world = await encryptedWorld({ model: payer(), plugins: [bank(payments)] })
  onTestFinished(() => world[Symbol.asyncDispose]())
  const { homeserver, ben, log } = world
  return {
    ...world,
    payments,
    shows: async (text, times = 1) => {
      await expect.poll(() => ben.messages().filter(({ body }) => body.includes(text)).length).toBe(times)
    },
    async keptBack({ userId }, send) {
      const body = '{"event_id":"$lost"}'
      const wrong = { status: 200, headers: { 'content-type': 'application/json' }, body }
      homeserver.fault({ on: ['send'], user: userId, times: 1, wrong })
      await send()
      return homeserver.requests('send').findLast(({ user }) => user === userId)!.body as EventContent
    },
    logs: text => log.lines.some(({ message }) => message.includes(text)),
  }
}

test('a copy of an encrypted yes under another event id pays nothing', async () => {
  const { homeserver, bot, ben, payments, shows, logs } = await start()
  const room = await ben.directRoom(bot, { encrypted: true })
  await ben.send(room, 'pay 1')
  await shows('Answer yes')
  await ben.send(room, 'yes')
  await shows('Paid.')
  const { content } = homeserver.events(room).findLast(({ sender }) => sender === ben.userId)!
  await ben.send(room, 'pay 2')
  await shows('Answer yes', 2)
  for (const _ of ['first', 'second'])
    homeserver.inject(room, { type: 'm.room.encrypted', sender: ben.userId, content })
  await shows('it is a copy or came after later ones')
  expect(logs('it is a copy or came after later ones')).toBe(true)
  await ben.send(room, 'no')
  await shows('Paid.', 2)
  expect(payments).toEqual([1])
})

test('a yes that the homeserver keeps back until a later question pays nothing', async () => {
  const { homeserver, bot, ben, payments, shows, keptBack } = await start()
  const room = await ben.directRoom(bot, { encrypted: true })
  await ben.send(room, 'pay 1')
  await shows('Answer yes')
  const content = await keptBack(ben, () => ben.send(room, 'yes'))
  await ben.send(room, 'pay 1000')
  await shows('Answer yes', 2)
  homeserver.inject(room, { type: 'm.room.encrypted', sender: ben.userId, content })
  await shows('it is a copy or came after later ones')
  await ben.send(room, 'no')
  await shows('Paid.')
  expect(payments).toEqual([])
})

test('a yes of another user under the name of the sender pays nothing', async () => {
  const { homeserver, bot, ben, payments, shows, keptBack, logs } = await start()
  using eve = await SecondUser.start(homeserver.url, 'eve', { encrypts: true })
  eve.acceptInvitations()
  const room = await ben.encryptedGroup([bot])
  await ben.client.invite(room, eve.userId)
  await ben.joined(room, eve.userId)
  await eve.joined(room, bot)
  await ben.send(room, `${bot}: pay 1`)
  await shows('Answer yes')
  const content = await keptBack(eve, () => eve.send(room, 'yes'))
  homeserver.inject(room, { type: 'm.room.encrypted', sender: ben.userId, content })
  await shows('the device that encrypted it is not one of its sender')
  expect(logs('its device is not one of its sender')).toBe(true)
  await ben.send(room, 'no')
  await shows('Paid.')
  expect(payments).toEqual([])
})

test('nothing without encryption approves, starts a turn or changes a message in an encrypted room', async () => {
  const { homeserver, bot, ben, payments, shows, logs, textsOf } = await start()
  const room = await ben.directRoom(bot, { encrypted: true })
  const eventId = await ben.send(room, 'pay 1')
  await shows('Answer yes')
  const plain = (content: EventContent) =>
    homeserver.inject(room, { type: 'm.room.message', sender: ben.userId, content })
  plain({ msgtype: 'm.text', body: 'yes' })
  plain({ msgtype: 'm.text', body: 'pay 7' })
  plain({
    msgtype: 'm.text',
    body: '* yes',
    'm.new_content': { msgtype: 'm.text', body: 'yes' },
    'm.relates_to': { rel_type: 'm.replace', event_id: eventId },
  })
  await shows('I only read encrypted messages in this room')
  expect(logs('was not read in an encrypted room')).toBe(true)
  await ben.send(room, 'no')
  await shows('Paid.')
  expect(payments).toEqual([])
  expect(textsOf(room)).toEqual([])
  expect(ben.messages().filter(({ body }) => body.includes('Answer yes'))).toHaveLength(1)
})
