import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { maxTurnBytes, TurnStream, turnResponse } from './turn-stream.ts'

/** Starts a server that streams a turn to each client, and returns the responses. */
const streaming = async (log: TurnStream) => {
  const responses: ServerResponse[] = []
  const server = createServer((_, outgoing) => {
    responses.push(outgoing)
    turnResponse(log, 0, { outgoing })
  }).listen(0, '127.0.0.1')
  server.setMaxListeners(0)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const reader = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.pause()
    const asked = once(server, 'request')
    socket.write('GET / HTTP/1.0\r\n\r\n')
    await asked
    return socket
  }
  return { responses, reader }
}

/** Reads the events of a response to its end. */
const eventsOf = async (socket: Socket): Promise<unknown[]> => {
  socket.setEncoding('utf8').resume()
  let text = ''
  for await (const chunk of socket) text += chunk
  const frames = text.slice(text.indexOf('\r\n\r\n') + 4).split('\n\n')
  expect(frames.splice(-2)).toEqual(['data: [DONE]', ''])
  return frames.map(frame => JSON.parse(/^data: (.*)$/m.exec(frame)![1]!))
}

const whole = (events: readonly object[]): TurnStream => {
  const log = new TurnStream('turn_1')
  for (const event of events) log.append(event as { type: string })
  log.end({ type: 'finish' })
  return log
}

test('a reader that reads nothing costs below 1 MB, whatever is queued for it, and gets all of it later', async () => {
  const events = Array.from({ length: 1_000 }, (_, id) => ({ type: 'text-delta', id, delta: 'é'.repeat(7_000) }))
  const log = whole(events)
  const { responses, reader } = await streaming(log)
  const readers = await Promise.all(Array.from({ length: 20 }, reader))
  for (const outgoing of responses) {
    expect(outgoing.writableNeedDrain).toBe(true)
    expect(outgoing.writableLength).toBeLessThan(1_000_000)
  }
  const [first, ...others] = readers
  for (const socket of others) socket.destroy()
  expect(await eventsOf(first!)).toEqual([...events, { type: 'finish' }])
})

test('an event of the maximum size is sent in pieces that split no character', async () => {
  const delta = `x${'😀'.repeat(maxTurnBytes / 8)}`
  const { responses, reader } = await streaming(whole([{ type: 'start' }, { type: 'text-delta', delta }]))
  const socket = await reader()
  expect(responses[0]!.writableLength).toBeLessThan(1_000_000)
  const events = (await eventsOf(socket)) as { delta?: string }[]
  expect(events[1]?.delta === delta).toBe(true)
})
