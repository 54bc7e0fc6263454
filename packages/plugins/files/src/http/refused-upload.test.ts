import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { at, bootFiles } from '../testing/files-oracle.test.support.ts'

const key = 'k-0123456789abcdef'

test('a refused upload closes its connection after the response, and the next requests succeed', async () => {
  const env = { ORACLE_API_KEYS: `app:${key}:*`, HOST: '127.0.0.1', PORT: '0', FILES_TOTAL_MB: '1' }
  const { app } = await bootFiles({ env })
  const { url } = await app.listen()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const send = async (method: string, path: string, body?: Buffer) => {
    const sent = request(`${url}${path}`, {
      agent,
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body ? { 'content-type': 'text/plain', 'content-length': body.length } : {}),
      },
    })
    // After the response, the rest of the body is not read.
    sent.on('error', () => {}).end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) text += chunk
    return { status: answer.statusCode, connection: answer.headers.connection, code: JSON.parse(text).code }
  }
  for (let round = 0; round < 3; round += 1) {
    const body = Buffer.alloc(8_000_000, 'x')
    expect(await send('PUT', at(`a${round}.txt`), body)).toEqual({
      status: 507,
      connection: 'close',
      code: 'files_full',
    })
    expect(await send('GET', '/files')).toMatchObject({ status: 200, connection: 'keep-alive' })
  }
})
