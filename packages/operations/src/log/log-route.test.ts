import { samplePlugin } from '@sibyl/core/testing'
import { createSigningKey } from '@sibyl/identity'
import type { Logger } from '@sibyl/plugin'
import { delegatedActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'

const operatorToken = 'operator-token-for-tests'
const canary = 'canary-mnemonic-of-a-wallet'
const lateCanary = 'late-canary-of-a-notebook'

interface Frame {
  readonly id?: string
  readonly event?: string
  readonly data: { readonly message?: string; readonly missed?: number; readonly level?: string }
}

const started = async (options: Partial<Parameters<typeof testApp>[0]> = {}) => {
  const logs: Record<string, Logger> = {}
  let read: (name: string) => string | undefined = () => undefined
  const plugin = (name: string) =>
    samplePlugin(name, {
      setup: host => {
        logs[name] = host.log
        read = host.variable
        return {}
      },
    })
  const oracle = await testApp({
    plugins: [plugin('shop'), plugin('desk')],
    ...options,
    env: { ...options.env, ORACLE_OPERATOR_TOKEN: operatorToken, OPENAI_API_KEY: canary, NOTES_TOKEN: lateCanary },
  })
  const open = async (query = '', lastEventId?: string) => {
    const answer = await oracle.app.request(`/operator/log${query}`, {
      headers: {
        authorization: `Bearer ${operatorToken}`,
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
    })
    return answer
  }
  const follow = async (query = '', lastEventId?: string) => reader(await open(query, lastEventId))
  const variable = (name: string) => read(name)
  return { ...oracle, logs, variable, open, follow, [Symbol.asyncDispose]: () => oracle.app.close() }
}

/** Reads frames with data. */
const reader = (answer: Response) => {
  const stream = answer.body!.pipeThrough(new TextDecoderStream() as never) as ReadableStream<string>
  const chunks = stream.getReader()
  let rest = ''
  const next = async (): Promise<Frame> => {
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end < 0) {
        const { value, done } = await chunks.read()
        if (done) throw new Error('the stream ended')
        rest += value
        continue
      }
      const lines = rest.slice(0, end).split('\n')
      rest = rest.slice(end + 2)
      const member = (name: string) => lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = member('data')
      if (data === undefined) continue
      const [id, event] = [member('id'), member('event')]
      return {
        ...(id === undefined ? {} : { id }),
        ...(event === undefined ? {} : { event }),
        data: JSON.parse(data),
      }
    }
  }
  const until = async (message: string) => {
    const seen: Frame[] = []
    for (;;) {
      const frame = await next()
      seen.push(frame)
      if (frame.data.message === message) return seen
    }
  }
  return { next, until, leave: () => chunks.cancel() }
}

test('sends the latest lines, then each new one, by level, plugin and text', async () => {
  await using oracle = await started()
  const { shop, desk } = oracle.logs
  shop?.info('an order came', { order: 7 })
  const all = await oracle.follow('?tail=1')
  expect(await all.next()).toMatchObject({ data: { message: 'an order came', plugin: 'shop', fields: { order: 7 } } })
  const warnings = await oracle.follow('?tail=0&level=warn')
  const offices = await oracle.follow('?tail=0&plugin=desk')
  const tills = await oracle.follow('?tail=0&text=TILL')
  for (const stream of [warnings, offices, tills]) void stream
  await new Promise(resolve => setImmediate(resolve))
  shop?.info('paid', { at: 'the till' })
  desk?.warn('a drawer is stuck')
  shop?.error('closed')
  expect((await all.until('closed')).map(({ data }) => data.message)).toEqual(['paid', 'a drawer is stuck', 'closed'])
  expect((await warnings.until('closed')).map(({ data }) => data.level)).toEqual(['warn', 'error'])
  expect((await offices.next()).data.message).toBe('a drawer is stuck')
  expect((await tills.next()).data.message).toBe('paid')
})

test('ends when the right of its reader is revoked', async () => {
  const controller = createSigningKey()
  let ahead = 0
  await using oracle = await started({
    clock: { now: () => Date.now() + ahead },
    env: { ORACLE_CONTROLLERS: controller.did },
  })
  const { shop } = oracle.logs
  const operator = await delegatedActor(oracle.app, { key: controller }, { abilities: ['operator/read'] })
  const log = reader(await operator.request('/operator/log?tail=0&plugin=shop'))
  const first = log.next()
  await new Promise(resolve => setImmediate(resolve))
  shop?.info('before')
  expect((await first).data.message).toBe('before')
  expect((await operator.revoke()).status).toBe(200)
  ahead = 5_000
  const next = log.next()
  await new Promise(resolve => setImmediate(resolve))
  shop?.info('for operators alone')
  await expect(next).rejects.toThrow('the stream ended')
})

test('continues after the last line that a client saw, and reports what it missed', async () => {
  await using oracle = await started()
  const { shop } = oracle.logs
  const first = await oracle.follow('?tail=0')
  await first.leave()
  shop?.info('one')
  const second = await oracle.follow('?tail=1')
  const seen = await second.next()
  expect(seen.data.message).toBe('one')
  await second.leave()
  shop?.info('two')
  const third = await oracle.follow('', seen.id)
  expect((await third.next()).data.message).toBe('two')
  for (let index = 0; index < 2_100; index += 1) shop?.info(`line ${index}`)
  const late = await oracle.follow('', seen.id)
  expect(await late.next()).toMatchObject({ event: 'gap', data: { missed: expect.any(Number) } })
  expect(await (await oracle.follow('?tail=1', '0a0b0c-17')).next()).toEqual({ event: 'restart', data: {} })
})

test('contains no secret, even one that was logged before it became one', async () => {
  await using oracle = await started()
  oracle.logs.shop?.error(`failed with ${canary}`, { headers: { authorization: `Bearer ${canary}` }, note: canary })
  oracle.logs.shop?.info(`${lateCanary} is no secret yet`)
  expect(oracle.variable('NOTES_TOKEN')).toBe(lateCanary)
  oracle.logs.shop?.info('done')
  const frames = await (await oracle.follow()).until('done')
  expect(frames.map(({ data }) => data.message).join()).toContain('failed with')
  expect(frames.map(({ data }) => data.message).join()).toContain('is no secret yet')
  expect(JSON.stringify(frames)).not.toMatch(/canary/)
})

test('has a limited number of readers, is for the operator alone, and ends with the oracle', async () => {
  const oracle = await started()
  expect((await oracle.actor.request('/operator/log')).status).toBe(403)
  const streams = await Promise.all(Array.from({ length: 10 }, () => oracle.open()))
  expect(streams.map(({ status }) => status)).toEqual(new Array(10).fill(200))
  const refused = await oracle.open()
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'log_readers_full' }])
  await streams[0]?.body?.cancel()
  const again = await oracle.open()
  expect(again.status).toBe(200)
  const text = again.text()
  await oracle.app.close()
  expect(await text).toContain('retry: 2000')
})
