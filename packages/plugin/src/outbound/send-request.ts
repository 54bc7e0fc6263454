import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { type CheckedTarget, hostOf, portOf, type ResolvedAddress } from './checked-target.ts'

/** One request, without redirects. */
export interface OutgoingRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** Maximum bytes of the body that are read. */
  readonly maxBytes: number
  /** Inspects a response before its body is read; an error that it throws ends the request. */
  readonly onHead: ((head: AnswerHead) => void) | undefined
  readonly signal: AbortSignal
}

/** A response before its body. */
export interface AnswerHead {
  readonly status: number
  readonly headers: Headers
}

/** A response, with its raw body. */
export interface IncomingAnswer extends AnswerHead {
  readonly body: Uint8Array
  /** False if the body has more bytes than were read. */
  readonly isComplete: boolean
}

/** Maximum informational responses (RFC 9110 §15.2) before the final response. */
const maxHints = 20

/** Sends a request to the checked addresses, without another resolution. */
export const sendRequest = (target: CheckedTarget, request: OutgoingRequest): Promise<IncomingAnswer> =>
  new Promise((resolve, reject) => {
    const { url, addresses } = target
    let isAnswered = false
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = send(
      {
        protocol: url.protocol,
        host: hostOf(url),
        port: portOf(url),
        path: url.pathname + url.search,
        method: request.method,
        headers: { ...request.headers, host: url.host, 'accept-encoding': 'identity' },
        lookup: pinned(addresses),
        agent: false,
        signal: request.signal,
      },
      incoming => {
        isAnswered = true
        readAnswer(incoming, request).then(resolve, reject)
      },
    )
    let hints = 0
    outgoing.on('information', () => {
      hints += 1
      if (hints > maxHints) outgoing.destroy(new Error('There are too many informational answers.'))
    })
    outgoing.on('error', reject)
    outgoing.on('close', () => {
      if (!isAnswered) reject(new Error('The connection was closed without an answer.'))
    })
    outgoing.end(request.body)
  })

const pinned =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses])
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }

const readAnswer = async (
  incoming: IncomingMessage,
  { maxBytes, onHead }: Pick<OutgoingRequest, 'maxBytes' | 'onHead'>,
): Promise<IncomingAnswer> => {
  const head = { status: incoming.statusCode ?? 0, headers: headersOf(incoming) }
  try {
    onHead?.(head)
  } catch (error) {
    incoming.destroy()
    throw error
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of incoming) {
    const left = maxBytes - length
    chunks.push(chunk.subarray(0, left))
    length += chunk.length
    // Leaving the loop closes the connection.
    if (length > maxBytes) break
  }
  return { ...head, body: Buffer.concat(chunks), isComplete: length <= maxBytes }
}

const headersOf = ({ headersDistinct }: IncomingMessage): Headers => {
  const headers = new Headers()
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return headers
}
