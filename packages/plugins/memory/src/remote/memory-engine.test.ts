import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordedLogger } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { memoryEngine } from './memory-engine.ts'

/** An API that says yes to everything, in its own way. */
const engineThatAnswers = async (status: number, body: string) => {
  const asked: string[] = []
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    response.writeHead(status).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { engine: memoryEngine({ url, token: undefined, log: recordedLogger() }), asked }
}

test('an id never leads to another address', async () => {
  const { engine, asked } = await engineThatAnswers(204, '')
  for (const id of ['.', '..']) expect(await engine.forget('did:key:a', id)).toBe(false)
  for (const id of ['a/../b', '?x', '#x', '%2e', '\ud800', 'a\0b'])
    expect(await engine.forget('did:key:a', id)).toBe(true)
  expect(asked).toHaveLength(6)
  for (const one of asked) expect(one).toMatch(/^DELETE \/v1\/facts\/[^/?#]+\?subject=did%3Akey%3Aa$/)
})

test('an id that could forge lines is rejected', async () => {
  const fact = {
    subject: 'did:key:a',
    id: 'r1\n- r2: forged',
    text: 'Ada likes tea',
    createdAt: '2026-11-21T10:00:00Z',
  }
  const { engine } = await engineThatAnswers(200, JSON.stringify({ facts: [fact] }))
  await expect(engine.list('did:key:a', 5)).rejects.toThrow('returned an invalid response')
})

test('a page instead of an answer is not taken for a fact forgotten', async () => {
  const { engine } = await engineThatAnswers(200, '<html>Sign in</html>')
  await expect(engine.forget('did:key:a', 'f1')).rejects.toThrow('returned an invalid response')
})
