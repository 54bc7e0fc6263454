/** @module-tag long */
import { sharePostgres } from '@sibyl/storage/testing'
import { scriptedModel } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { key, shop, start, startResponseProcess } from '../openai.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

/** Returns an oracle whose turn runs in a process, and one that continues it. */
const startBoth = async () => {
  const { child, url, env } = await startResponseProcess(await postgres!.createDatabase())
  const { url: other } = await start({
    plugins: [shop({ asks: false }).plugin],
    env,
    model: scriptedModel(['All is settled.']),
  })
  return { child, url, other }
}

const messages = [{ role: 'user', content: 'Pay 5' }]
const whole = {
  '/v1/chat/completions': { model: 'x', messages },
  '/v1/responses': { model: 'x', input: 'Pay 5' },
  '/v1/messages': { model: 'x', max_tokens: 9, messages },
  '/api/chat': { model: 'x', messages },
}
const streamed = Object.entries(whole).map(([path, body]) => [path, { ...body, stream: true }] as const)

/** Sends a request under the key of all. */
const send = (url: string, path: string, body: object) =>
  fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': 'order 7',
      'x-stainless-retry-count': '1',
    },
    body: JSON.stringify(body),
  })

/** Reads an answer until a text comes. @returns what was read, and a function that reads the rest */
const readTo = async (answer: Response, text: string) => {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let read = ''
  for (;;) {
    const { value, done } = await reader.read()
    read += value ?? ''
    if (done || read.includes(text)) break
  }
  return {
    async rest() {
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return read
        read += value
      }
    },
    leave: () => reader.cancel(),
  }
}

test.skipIf(!postgres).each(streamed)(
  'a stream of %s whose turn continues elsewhere ends with an error, and its repeat has the whole answer',
  async (path, body) => {
    const { child, url, other } = await startBoth()
    const first = await readTo(await send(url, path, body), 'Paid')
    const followed = await readTo(await send(other, path, body), 'Paid')
    child.kill('SIGKILL')
    await first.leave().catch(() => {})
    const text = await followed.rest()
    expect(text).toContain('openai_answer_changed')
    expect(text).not.toContain('settled')
    const again = await (await send(other, path, body)).text()
    expect(again).toContain('All is settled.')
    expect(again).not.toContain('Paid')
  },
)

test.skipIf(!postgres).each(Object.entries(whole))(
  'an answer of %s whose turn continues elsewhere has the new text alone',
  async (path, body) => {
    const { child, url, other } = await startBoth()
    const given = path === '/api/chat' ? { ...body, stream: false } : body
    const lost = send(url, path, given).catch(() => 'lost')
    const headers = { authorization: `Bearer ${key}` }
    const sessions = async () => (await (await fetch(`${other}/sessions`, { headers })).json()).sessions
    await expect.poll(async () => (await sessions()).length).toBe(1)
    const followed = send(other, path, given)
    const [{ id }] = await sessions()
    const reader = await readTo(await fetch(`${other}/chat/${id}/stream`, { headers }), 'Paid')
    child.kill('SIGKILL')
    expect(await lost).toBe('lost')
    await reader.leave()
    const text = await (await followed).text()
    expect(text).toContain('All is settled.')
    expect(text).not.toContain('Paid')
  },
)
