import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ofChatCompletion, strictViolation } from '@sibyl/models/testing'
import type { Canaries } from './make-canaries.ts'
import type { Places } from './places.ts'

/** The model provider and the telemetry collector, on one port. */
export interface Upstream extends AsyncDisposable {
  readonly url: string
  /** Requests by what they were for. */
  readonly counts: { provider: number; collector: number }
  /** Why a strict provider would reject requests of the oracle. */
  readonly violations: readonly string[]
}

const toolNames = ['leak_reading', 'leak_writing', 'leak_cause', 'leak_asking', 'leak_output', 'no_such_tool']

/** Messages that make the provider answer or fail in a certain way. */
export const providerMoods: readonly string[] = [
  'be fine',
  ...toolNames.map(name => `call ${name}`),
  'send broken arguments',
  ...[400, 401, 403, 404, 413, 422, 429, 500, 503].map(status => `fail with ${status}`),
  'send a page',
  'send no stream',
  'send broken events',
  'send an error event',
  'redirect',
  'hang up',
  'hang up within',
]

/** Starts it. Where a secret belongs, in the header that it is for, it is taken out before the request is collected. */
export const startUpstream = async (canaries: Canaries, places: Places): Promise<Upstream> => {
  const counts = { provider: 0, collector: 0 }
  const violations: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const isCollector = request.url?.includes('/traces') === true
    const place = isCollector ? 'collector' : 'provider'
    counts[place] += 1
    places.add(`requests to the ${place}`, `${request.method} ${request.url}\n${headersOf(request, canaries)}\n${body}`)
    if (isCollector) response.end('{}')
    else {
      const violation = request.method === 'POST' ? strictViolation(ofChatCompletion(JSON.parse(body))) : undefined
      if (violation !== undefined) violations.push(violation)
      reply(response, body, canaries.providerKey)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    violations,
    [Symbol.asyncDispose]: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const headersOf = ({ rawHeaders, url }: IncomingMessage, { providerKey, collectorToken }: Canaries): string => {
  const own = url?.includes('/traces') ? `Bearer ${collectorToken}` : `Bearer ${providerKey}`
  return rawHeaders
    .map((text, index) => (/^authorization$/i.test(rawHeaders[index - 1] ?? '') && text === own ? '' : text))
    .join('\n')
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const reply = (response: ServerResponse, body: string, key: string): void => {
  const mood = providerMoods.findLast(one => body.includes(`please ${one}`)) ?? 'be fine'
  const bytes = Buffer.from(key)
  const output = `Incorrect key ${key}, ${bytes.toString('base64')}, ${bytes.toString('hex')}, ${encodeURIComponent(key)}`
  const stream = () => response.writeHead(200, { 'content-type': 'text/event-stream', 'x-echo': key })
  const text = chunk({ role: 'assistant', content: 'All is ' })
  const finish = (reason: string) => `${chunk({}, reason)}data: [DONE]\n\n`
  const [, tool] = /^call (\w+)$/.exec(mood) ?? []
  const [, status] = /^fail with (\d+)$/.exec(mood) ?? []
  const toolCall = (name: string, args: string) =>
    chunk({
      role: 'assistant',
      tool_calls: [
        { index: 0, id: `call_${response.socket?.remotePort}`, type: 'function', function: { name, arguments: args } },
      ],
    })
  if (body.includes('"role":"tool"')) stream().end(text + chunk({ content: 'well.' }) + finish('stop'))
  else if (tool) stream().end(toolCall(tool, '{}') + finish('tool_calls'))
  else if (mood === 'send broken arguments') stream().end(toolCall('leak_reading', '{"a": ') + finish('tool_calls'))
  else if (status) {
    response.writeHead(Number(status), { 'content-type': 'application/json', 'retry-after-ms': '1', 'x-echo': key })
    response.end(JSON.stringify({ error: { message: output, type: key, code: key, param: output } }))
  } else if (mood === 'send a page') response.writeHead(400, { 'content-type': 'text/html' }).end(`<h1>${output}</h1>`)
  else if (mood === 'send no stream')
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"odd": "${key}`)
  else if (mood === 'send broken events') stream().end(`${text}data: {"odd": "${key}\n\nevent: ${key}\n\n`)
  else if (mood === 'send an error event')
    stream().end(`${text}data: ${JSON.stringify({ error: { message: output, code: key } })}\n\n`)
  else if (mood === 'redirect')
    response.writeHead(302, { location: `http://127.0.0.1:1/?key=${encodeURIComponent(key)}` }).end()
  else if (mood === 'hang up') response.destroy()
  else if (mood === 'hang up within') {
    stream().write(text)
    setTimeout(() => response.destroy(), 20)
  } else stream().end(text + chunk({ content: 'well.' }) + finish('stop'))
}
