import type { AddressInfo, Socket } from 'node:net'
import { createServer as createPlainServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { chatCompletionEvents } from './fake-chat-completions.ts'
import type { FakeAnswer } from './fake-openai-reply.ts'
import { responseEvents } from './fake-responses.ts'
import { failTest } from './strict/report-violation.ts'
import { ofChatCompletion, ofResponse } from './strict/strict-request.ts'
import { strictViolation } from './strict/strict-violations.ts'

/** The two ways to speak to a provider, by the value of LLM_PROVIDER. */
export type RawApi = 'openai' | 'openai-compatible'

/** A request as it came over the socket. */
export interface RawRequest {
  readonly path: string
  /** The header lines, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** What a raw provider does with a request: it may write to the socket whatever it likes. */
export type RawAnswer = (socket: Socket, request: RawRequest, number: number) => unknown

/** What `startRawProvider` takes. */
export interface RawProviderOptions {
  /** Speak TLS with this certificate. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** @default 0, a free one */
  readonly port?: number
}

/** A provider made of bare sockets. */
export interface RawProvider extends AsyncDisposable {
  /** For OPENAI_BASE_URL. */
  readonly url: string
  readonly port: number
  /** The requests so far, oldest first. */
  readonly requests: readonly RawRequest[]
  /** The connections that are open now. */
  readonly open: ReadonlySet<Socket>
  /** How many bytes were sent so far, those included that wait to be. */
  sent(): number
  /** What is done with the requests from now on. */
  answer(next: RawAnswer): void
}

/** Starts a provider on bare sockets, for faults that no HTTP server can be told to make. */
export const startRawProvider = async (
  answer: RawAnswer,
  { tls, port: wanted = 0 }: RawProviderOptions = {},
): Promise<RawProvider> => {
  const requests: RawRequest[] = []
  const open = new Set<Socket>()
  const all: Socket[] = []
  let answerNext = answer
  const serve = (socket: Socket) => {
    open.add(socket)
    all.push(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    let bytes = Buffer.alloc(0)
    socket.on('data', chunk => {
      bytes = Buffer.concat([bytes, chunk])
      for (let read = readRequest(bytes); read; read = readRequest(bytes)) {
        bytes = bytes.subarray(read.length)
        const { path, body } = read.request
        const violation = strictViolation(path.endsWith('/responses') ? ofResponse(body) : ofChatCompletion(body))
        if (violation !== undefined) failTest(violation)
        answerNext(socket, read.request, requests.push(read.request))
      }
    })
  }
  const server = tls ? createTlsServer(tls, serve) : createPlainServer(serve)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/v1`,
    port,
    requests,
    open,
    sent: () => all.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    answer(next) {
      answerNext = next
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const readRequest = (bytes: Buffer): { request: RawRequest; length: number } | undefined => {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, end).toString().split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.split(':')[0]!.toLowerCase(), line.replace(/^.*?: ?/, '')]),
  )
  const length = end + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < length) return undefined
  const body = JSON.parse(bytes.subarray(end + 4, length).toString() || '{}')
  return { request: { path: first.split(' ')[1] ?? '', headers, body }, length }
}

/** The head of an answer; the body ends with the connection, unless a length is among the headers. */
export const rawHead = (status: number, headers: Readonly<Record<string, string | number>> = {}): string =>
  [`HTTP/1.1 ${status} Whatever`, ...Object.entries({ connection: 'close', ...headers }).map(pair => pair.join(': '))]
    .join('\r\n')
    .concat('\r\n\r\n')

/** The head of a stream of events. */
export const streamHead = rawHead(200, { 'content-type': 'text/event-stream' })

/** The events of a whole answer, each with the blank line after it. */
export const rawEvents = (api: RawApi, answer: FakeAnswer): readonly string[] =>
  api === 'openai' ? responseEvents(answer, 'model') : chatCompletionEvents(answer, 'model', true)

/** Gives a whole answer, as a provider without any fault does. */
export const answerWell =
  (api: RawApi, answer: FakeAnswer): RawAnswer =>
  socket =>
    socket.end(streamHead + rawEvents(api, answer).join(''))
