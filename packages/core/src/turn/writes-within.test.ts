import type { Actor, Host, TurnHooks, TurnRequest } from '@sibyl/plugin'
import type { Storage } from '@sibyl/storage'
import { onEachEngine } from '@sibyl/storage/testing/engines'
import { scriptedModel, testApp } from '@sibyl/testing'
import type { Transaction } from 'kysely'
import { expect, test } from 'vitest'
import { samplePlugin } from '../testing/sample-plugin.ts'

interface NoteTables {
  readonly channel_notes: { readonly turn: string }
}

const phone: Actor = { did: 'did:key:z6MkphoneUser', via: 'ussd', scopes: ['chat/send'] }

await onEachEngine('what a plugin writes within a turn', engine => {
  const channelOf = async (hooks?: TurnHooks) => {
    const ready = Promise.withResolvers<Host>()
    const channel = samplePlugin('channel', {
      migrations: {
        '0001-notes': async (db, { text }) => {
          await db.schema.createTable('channel_notes').addColumn('turn', text).execute()
        },
      },
      setup: host => {
        ready.resolve(host)
        return hooks ? { turn: hooks } : {}
      },
    })
    const model = scriptedModel(['hello', 'again'])
    const oracle = await testApp({ plugins: [channel], model, env: { DATABASE_URL: await engine.emptyDatabase() } })
    const { turns, storage } = await ready.promise
    const { read } = storage as unknown as Storage<NoteTables>
    const within = async (tx: object, turn: string) => {
      await (tx as Transaction<NoteTables>).insertInto('channel_notes').values({ turn }).execute()
    }
    const run = (request: Partial<TurnRequest> = {}) =>
      turns.run({
        actor: phone,
        session: 's1',
        text: 'hi',
        channel: 'ussd',
        whenBusy: 'queue',
        approvals: 'deny',
        within,
        ...request,
      })
    const notes = async () => (await read.selectFrom('channel_notes').select('turn').execute()).map(({ turn }) => turn)
    return { run, within, notes, model, [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose]() }
  }

  test.each([
    ['without hooks', undefined],
    ['after its hooks', { before: async () => undefined }],
  ])('is stored with it, once, or neither is, %s', async (_, hooks) => {
    await using channel = await channelOf(hooks)
    const turn = await channel.run({ dedupeKey: 'k' })
    if ('refused' in turn) throw new Error(turn.refused.code)
    expect(await channel.notes()).toEqual([turn.turnId])
    expect(await channel.run({ dedupeKey: 'k' })).toMatchObject({ turnId: turn.turnId })
    await turn.finished
    const failing = channel.run({
      async within(tx, turnId) {
        await channel.within(tx, turnId)
        throw new Error('no room')
      },
    })
    await expect(failing).rejects.toThrow('no room')
    expect([await channel.notes(), channel.model.calls.length]).toEqual([[turn.turnId], 1])
    const next = await channel.run({ within: async () => {} })
    expect('refused' in next || (await next.finished).text).toBe('again')
  })

  test('is not stored where a hook refuses it', async () => {
    const refusal = { status: 402, code: 'no_credit', detail: 'No credit.' } as const
    await using channel = await channelOf({ before: async () => refusal })
    expect(await channel.run()).toEqual({ refused: refusal })
    expect(await channel.notes()).toEqual([])
  })
})
