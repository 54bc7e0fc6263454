import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { answerHeadersFor } from './answer-headers.ts'
import { type ProblemFacts, problemHeaders, problemOf } from './problem-response.ts'

/** Maximum headers of a request. */
const maxHeaders = 200

/** The reason of a response that is sent without the app. */
export type WireRefusal = 'malformed' | 'misdirected' | 'headers_too_large' | 'timeout' | 'failed'

const facts: Readonly<Record<WireRefusal, ProblemFacts>> = {
  malformed: { status: 400, code: 'request_malformed', detail: 'The request is invalid HTTP.' },
  misdirected: {
    status: 421,
    code: 'host_not_served',
    detail:
      'This oracle listens on a loopback address and does not serve this Host. Call it as localhost, or set PUBLIC_URL ' +
      'to the address of your proxy.',
  },
  headers_too_large: {
    status: 431,
    code: 'headers_too_large',
    detail: `A request may have at most ${maxHeaders} headers with 16 kB.`,
  },
  timeout: { status: 408, code: 'request_timeout', detail: 'The request was not received in time.' },
  failed: { status: 500, code: 'internal_error' },
}

/** Returns the error of a request that the parser accepted; undefined if it is valid. */
export const refusedMessage = ({ rawHeaders, httpVersion }: IncomingMessage): WireRefusal | undefined => {
  if (rawHeaders.length > maxHeaders * 2) return 'headers_too_large'
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? 'malformed' : undefined
}

/** Returns the reason for an error of Node's HTTP parser. */
export const parserRefusal = (code: string | undefined): WireRefusal => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'timeout'
  return code === 'HPE_HEADER_OVERFLOW' || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 'headers_too_large' : 'malformed'
}

/** Returns the response of a rejection. */
export const refusalResponse = (refusal: WireRefusal): Response => {
  const { status, headers, body } = answerOf(refusal)
  return new Response(body, { status, headers })
}

/** Encodes a rejection for the socket, if there is no request to answer. */
export const encodeRefusal = (refusal: WireRefusal): string => {
  const { status, headers, body } = answerOf(refusal)
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
}

const answerOf = (refusal: WireRefusal) => {
  const requestId = randomUUID()
  return {
    status: facts[refusal].status,
    headers: { ...answerHeadersFor(undefined), ...problemHeaders, 'x-request-id': requestId, connection: 'close' },
    body: JSON.stringify(problemOf(facts[refusal], requestId)),
  }
}
