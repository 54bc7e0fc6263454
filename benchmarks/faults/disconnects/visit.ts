import type { TestActor } from '@sibyl/testing'
import type { Random } from '../frame/random.ts'
import { leaveAt, type Moment, moments } from './leaving-client.ts'

/** Actions in a session after its reader has left. */
export const sequels = [
  'nothing',
  'nothing',
  'nothing',
  'nothing',
  'stop',
  'another message',
  'resume',
  'other request',
] as const
export type Sequel = (typeof sequels)[number]

/** Result of one session. */
export interface Visit {
  readonly sessionId: string
  readonly moment: Moment
  readonly sequel: Sequel
  readonly acknowledged: boolean
  readonly complete: boolean
  /** Response of `stop`. */
  readonly stopped: boolean
}

/** Says something in a session of its own, leaves, and does what follows. */
export const visit = async (port: number, actor: TestActor, index: number, random: Random): Promise<Visit> => {
  const sessionId = `session-${index}`
  const moment = random.pick(moments)
  const sequel = random.pick(sequels)
  const body = JSON.stringify({
    id: sessionId,
    message: { id: `message-${index}`, role: 'user', parts: [{ type: 'text', text: 'Tell me a story.' }] },
  })
  const left = await leaveAt(port, await write('POST /chat', actor, body), moment, random)
  let stopped = false
  if (sequel === 'stop') {
    const answer = await actor.request(`/chat/${sessionId}/stop`, { method: 'POST' })
    stopped = ((await answer.json()) as { stopped?: boolean }).stopped === true
  } else if (sequel === 'another message') {
    const answer = await actor.request('/chat', { json: { id: sessionId, message: 'Another one.' } })
    await answer.text()
  } else if (sequel === 'resume') {
    await leaveAt(port, await write(`GET /chat/${sessionId}/stream`, actor), random.pick(moments), random)
  } else if (sequel === 'other request') {
    const other = random.pick(['GET /sessions', 'GET /health', `GET /sessions/${sessionId}`, 'GET /nowhere'])
    await leaveAt(port, await write(other, actor), random.pick(moments), random)
  }
  return { sessionId, moment, sequel, stopped, ...left }
}

const write = async (target: string, actor: TestActor, body = ''): Promise<string> =>
  [
    `${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${await actor.token()}`,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n')
