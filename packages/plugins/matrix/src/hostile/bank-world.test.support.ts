import { setInterval } from 'node:timers/promises'
import { definePlugin, type OraclePlugin } from '@sibyl/plugin'
import { type ScriptedStep, scriptedModel } from '@sibyl/testing'
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

/** An encrypted world with a bank, whose oracle pays after a yes. */
export interface BankWorld extends EncryptedWorld {
  readonly payments: number[]
  /** Waits until the room of Ben shows a text, as often as it says. */
  shows(text: string, times?: number): Promise<void>
  /** Waits until the room of Ben shows why a message was not read; false if more than the due payments were made instead. */
  refuses(text: string, due: number): Promise<boolean>
  /** Returns the content of a message that a client sends and the homeserver keeps back. */
  keptBack(user: SecondUser, send: () => Promise<unknown>): Promise<EventContent>
  /** Returns whether the log has a line for a message that was not read. */
  logs(text: string): boolean
}

/** A client reports no change for a message that it decrypts or edits later. */
const until = async (check: () => boolean): Promise<void> => {
  for await (const _ of setInterval(20)) if (check()) return
}

/** Boots it. */
export const bankWorld = async (): Promise<BankWorld> => {
  const payments: number[] = []
  const world = await encryptedWorld({ model: payer(), plugins: [bank(payments)] })
  const { homeserver, ben, log } = world
  return {
    ...world,
    payments,
    async shows(text, times = 1) {
      await until(() => ben.messages().filter(({ body }) => body.includes(text)).length >= times)
    },
    async refuses(text, due) {
      await until(() => payments.length > due || ben.messages().some(({ body }) => body.includes(text)))
      return payments.length === due
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

const replayed = 'it is a copy or came after later ones'

/** An attack of a homeserver on an encrypted room, in which Ben approves only the payments that are due. */
export interface Attack {
  readonly name: string
  readonly due: readonly number[]
  /** The part of the log line that reports it. */
  readonly logged: string
  /** Attacks, and lets Ben deny the open question. */
  run(world: BankWorld): Promise<void>
}

/** The attacks. */
export const attacks: readonly Attack[] = [
  {
    name: 'a copy of an encrypted yes under another event id',
    due: [1],
    logged: replayed,
    async run({ homeserver, bot, ben, shows, refuses }) {
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
      if (!(await refuses(replayed, 1))) return
      await ben.send(room, 'no')
      await shows('Paid.', 2)
    },
  },
  {
    name: 'a yes that the homeserver keeps back until a later question',
    due: [],
    logged: replayed,
    async run({ homeserver, bot, ben, shows, refuses, keptBack }) {
      const room = await ben.directRoom(bot, { encrypted: true })
      await ben.send(room, 'pay 1')
      await shows('Answer yes')
      const content = await keptBack(ben, () => ben.send(room, 'yes'))
      await ben.send(room, 'pay 1000')
      await shows('Answer yes', 2)
      homeserver.inject(room, { type: 'm.room.encrypted', sender: ben.userId, content })
      if (!(await refuses(replayed, 0))) return
      await ben.send(room, 'no')
      await shows('Paid.')
    },
  },
  {
    name: 'a yes of another user under the name of the sender',
    due: [],
    logged: 'its device is not one of its sender',
    async run({ homeserver, bot, ben, shows, refuses, keptBack }) {
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
      if (!(await refuses('the device that encrypted it is not one of its sender', 0))) return
      await ben.send(room, 'no')
      await shows('Paid.')
    },
  },
  {
    name: 'a yes, a message and an edit without encryption',
    due: [],
    logged: 'was not read in an encrypted room',
    async run({ homeserver, bot, ben, shows, refuses }) {
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
      if (!(await refuses('I only read encrypted messages in this room', 0))) return
      await ben.send(room, 'no')
      await shows('Paid.')
    },
  },
]
