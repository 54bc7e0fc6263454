import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { testApp } from '../testing/index.ts'

const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, ...more }] })}\n\n`

/** What a provider writes, and then drops the connection or ends. */
const endings: [string, string, 'drop' | 'end'][] = [
  ['drops the connection in mid-answer', chunk({ role: 'assistant', content: 'so far' }), 'drop'],
  ['ends in mid-answer', chunk({ role: 'assistant', content: 'so far' }), 'end'],
  ['ends in mid-event', `${chunk({ role: 'assistant', content: 'so far' })}data: {"id":`, 'end'],
  ['streams junk', `${chunk({ role: 'assistant', content: 'so far' })}data: <html>\n\n`, 'end'],
  [
    'streams an error',
    `${chunk({ role: 'assistant', content: 'so far' })}data: {"error":{"message":"hunter2","code":"server_error"}}\n\n`,
    'end',
  ],
]

for (const [name, body, ending] of endings) {
  test(`a provider that ${name}: what came is kept, and the turn ends with one clean error`, async () => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(body, () => (ending === 'drop' ? response.destroy() : response.end()))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    await using oracle = await testApp({
      plugins: [],
      env: { LLM_PROVIDER: 'openai-compatible', OPENAI_BASE_URL: url },
    })
    const { events, text, last, done } = await oracle.chat('hi', { session: 's1' })
    expect([text, last?.type, done]).toEqual(['so far', 'error', true])
    expect(String(last?.code)).toMatch(/^model_/)
    expect(JSON.stringify(events)).not.toMatch(/hunter2|html|127\.0\.0\.1/)
    const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
    expect(messages[1]).toMatchObject({ metadata: { outcome: 'failed' } })
    expect(messages[1].parts.at(-1)).toMatchObject({ text: 'so far' })
    server.close()
    server.closeAllConnections()
  })
}
