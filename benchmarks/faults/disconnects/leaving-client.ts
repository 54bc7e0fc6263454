import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Random } from '../frame/random.ts'

/** When a client leaves. */
export const moments = [
  'connected',
  'sending',
  'sent',
  'answered',
  'reading',
  'waiting',
  'ended',
  'half closed',
] as const
export type Moment = (typeof moments)[number]

/** Events that a client received before it left. */
export interface Left {
  /** Whether the answer had begun with 200: the message is acknowledged. */
  readonly acknowledged: boolean
  /** Whether the final event and what follows it came. */
  readonly complete: boolean
}

const endOfStream = 'data: [DONE]'
/** Longer than any turn of this run. */
const patienceMs = 30_000

/** Sends a request and leaves at a moment, orderly or with a reset. */
export const leaveAt = async (port: number, request: string, moment: Moment, random: Random): Promise<Left> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  let received = ''
  socket.on('data', chunk => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  const left = once(socket, 'connect').then(() => behave(socket, request, moment, random, () => received.length))
  const timer = setTimeout(() => socket.destroy(), patienceMs)
  await Promise.race([left, closed])
  clearTimeout(timer)
  if (!socket.destroyed) {
    if (random.integer(0, 1) === 0) socket.resetAndDestroy()
    else socket.destroy()
  }
  await closed
  return { acknowledged: received.startsWith('HTTP/1.1 200'), complete: received.includes(endOfStream) }
}

const behave = async (
  socket: Socket,
  request: string,
  moment: Moment,
  random: Random,
  received: () => number,
): Promise<void> => {
  if (moment === 'connected') return
  if (moment === 'sending') {
    socket.write(request.slice(0, random.integer(1, request.length - 1)))
    return pause(random.integer(0, 20))
  }
  socket.write(request)
  if (moment === 'half closed') socket.end()
  if (moment === 'sent') return flushed(socket)
  if (moment === 'waiting') return pause(random.integer(0, 150))
  const wanted =
    moment === 'answered' ? 1 : moment === 'reading' ? random.integer(400, 4_000) : Number.POSITIVE_INFINITY
  await new Promise<void>(resolve => {
    let tail = ''
    socket.on('data', chunk => {
      tail = (tail + chunk.toString('latin1')).slice(-200)
      if (received() >= wanted || tail.includes(endOfStream)) resolve()
    })
    socket.once('end', () => resolve())
  })
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

const flushed = (socket: Socket): Promise<void> => new Promise(resolve => socket.write('', () => resolve()))
