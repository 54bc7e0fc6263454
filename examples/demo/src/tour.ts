import type { ChatTurn, StreamedEvent } from '@sibyl/client'
import { createClient } from '@sibyl/client'
import type { SigningKey } from '@sibyl/identity'
import { healthRecord, problemSchema } from '@sibyl/protocol'
import { cuttingFetch } from './cut-connection.ts'
import { expectThat } from './demo-failure.ts'
import { eventLines } from './event-line.ts'
import type { Narrator } from './narrator.ts'
import { callFromPhone } from './phone-call.ts'

/** Dependencies of the tour. */
export interface Tour {
  readonly narrator: Narrator
  /** The running oracle. */
  readonly url: string
  /** The key of the user. */
  readonly key: SigningKey
  readonly signal: AbortSignal
}

const question = "What's the weather in Berlin?"
/** The session that the visitor may go on with. */
export const tourSession = 'tour'

/**
 * Runs the tour of a running oracle and prints each step.
 *
 * @throws DemoFailure at the first failed step, or the reason of the signal
 */
export const visit = async (tour: Tour): Promise<void> => {
  tour.signal.throwIfAborted()
  await askHealth(tour)
  await askWeather(tour)
  await chat(tour)
  await chatOverBrokenConnection(tour)
  await knockWithoutToken(tour)
  await callFromPhone(tour)
}

const askHealth = async ({ narrator, url, signal }: Tour): Promise<void> => {
  narrator.step('Health')
  narrator.request('GET /health')
  const response = await fetch(`${url}/health`, { signal })
  const health = healthRecord.safeParse(await response.json())
  expectThat(response.status === 200 && health.success, `GET /health answered ${response.status}, not a health record.`)
  const { status, database, environment } = health.data
  narrator.reply(200, [`status ${status},`, `database ${database},`, `environment ${environment}`])
}

const askWeather = async ({ narrator, url, signal }: Tour): Promise<void> => {
  narrator.step('A public route of the weather plugin')
  narrator.request('GET /weather/now?city=Berlin')
  const response = await fetch(`${url}/weather/now?city=Berlin`, { signal })
  const text = await response.text()
  expectThat(response.status === 200, `GET /weather/now answered ${response.status}: ${text}`)
  narrator.reply(200, partsOf(JSON.parse(text)))
}

const chat = async ({ narrator, url, key, signal }: Tour): Promise<void> => {
  narrator.step('A chat turn, every event of it')
  narrator.print(
    'The agent finds the weather plugin, loads it, calls its tool and answers. Each request has a new signature.',
  )
  narrator.request(`POST /chat  “${question}”`)
  const client = createClient({ url, signer: key })
  const events = await eventsOf(await client.chat(question, { sessionId: tourSession, signal }))
  report(narrator, events)
  const tools = events.flatMap(({ event }) => (event.type === 'tool-input-available' ? [event.toolName] : []))
  expectThat(tools.includes('get_current_weather'), `The agent called ${tools.join(', ') || 'no tool'}.`)
  expectDone(events)
}

const chatOverBrokenConnection = async ({ narrator, url, key, signal }: Tour): Promise<void> => {
  const cutAfter = 5
  const question = "What's the weather in Tokyo?"
  narrator.step('A connection that breaks')
  narrator.print('The turn goes on without its reader. The client comes back and names the last event that it has.')
  const requests: string[] = []
  const fetch = cuttingFetch(cutAfter, ({ method, path, lastEventId }) => {
    if (path.startsWith('/chat'))
      requests.push(`${method} ${path}  ${lastEventId ? `Last-Event-ID: ${lastEventId}` : ''}`)
  })
  const client = createClient({ url, signer: key, fetch, reconnect: { firstDelayMs: 1 } })
  const events = await eventsOf(await client.chat(question, { sessionId: tourSession, signal }))
  narrator.request(`${requests[0]}“${question}”`)
  report(narrator, events.slice(0, cutAfter))
  narrator.mark('--- the connection is cut ---', 'yellow')
  narrator.request(requests[1] ?? '')
  report(narrator, events.slice(cutAfter))
  expectThat(requests.length === 2, `The client made ${requests.length} requests to /chat, not 2.`)
  const numbers = events.map(({ number }) => number)
  const isWhole = numbers.every((number, index) => number === index + 1)
  expectThat(isWhole, `The events came as ${numbers.join(' ')}: with a gap or a repeat.`)
  expectDone(events)
  narrator.mark(`${events.length} events, each once and in order: no gap, no repeat.`, 'green')
}

const knockWithoutToken = async ({ narrator, url, signal }: Tour): Promise<void> => {
  narrator.step('A request without a token is rejected')
  narrator.request('POST /chat  without an Authorization header')
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ message: question })
  const response = await fetch(`${url}/chat`, { method: 'POST', headers, body, signal })
  const problem = problemSchema.safeParse(await response.json())
  expectThat(
    response.status === 401 && problem.success,
    `It was answered with ${response.status}, not refused with 401.`,
  )
  const { code, title, detail = title } = problem.data
  narrator.reply(401, `${code}: ${detail}`.split(' '))
}

const eventsOf = async (turn: ChatTurn): Promise<StreamedEvent[]> => {
  const events: StreamedEvent[] = []
  for await (const item of turn.events) events.push(item)
  return events
}

const expectDone = (events: readonly StreamedEvent[]): void => {
  const last = events.at(-1)?.event
  const how = last?.type === 'error' ? `${last.code}: ${last.errorText}` : (last?.type ?? 'nothing')
  expectThat(last?.type === 'finish', `The turn ended with ${how}.`)
}

const report = (narrator: Narrator, events: readonly StreamedEvent[]): void => {
  const lines = eventLines(events)
  const kindWidth = Math.max(...lines.map(({ kind }) => kind.length), 'tool-output'.length)
  for (const { places, kind, detail } of lines) {
    const [label, name] = [places.padStart(5), kind.padEnd(kindWidth)]
    if (kind === 'text') narrator.speech(label, name, detail)
    else narrator.fact(label, name, detail)
  }
}

/** An object as JSON, a member each. */
const partsOf = (value: object): string[] => [
  '{',
  ...Object.entries(value).map(([key, one], index, { length }) => {
    return `"${key}": ${JSON.stringify(one)}${index < length - 1 ? ',' : ''}`
  }),
  '}',
]
