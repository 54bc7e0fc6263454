import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { proofText } from './signing-protocol.ts'

/** The maximum size of a request in bytes: a UCAN has about 1,000. */
const maxBodyBytes = 16_384

/** The reason for an error response. */
export class RequestError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/**
 * Accepts only requests that the page of this server, or a browser that opens its link, would send. The `Host` must be
 * that of the server, against DNS rebinding.
 *
 * @param origin The only one that is served.
 */
export const checkRequest = ({ method = '', headers, rawHeaders }: IncomingMessage, origin: string): void => {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length !== 1 || headers.host?.toLowerCase() !== new URL(origin).host) {
    throw new RequestError(421, 'host_unknown', 'This address is served only under its own host name.')
  }
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    throw new RequestError(405, 'method_not_allowed', 'Only GET, HEAD and POST are supported.', {
      allow: 'GET, HEAD, POST',
    })
  }
  if (method !== 'POST') return
  if (headers.origin !== origin) throw new RequestError(403, 'origin_unknown', 'Only the page itself may send a POST.')
  if (headers['content-type'] !== 'application/json') {
    throw new RequestError(415, 'content_type_unsupported', 'Post application/json.')
  }
}

/** Reads a body of at most 16 kB as text. The server limits its duration. */
export const readBody = async (request: IncomingMessage): Promise<string> => {
  const tooLarge = new RequestError(413, 'body_too_large', `Send at most ${maxBodyBytes} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) throw tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns the proof of a message with the secret of the fragment, in hexadecimal. */
export const proofOf = (secret: string, parts: Parameters<typeof proofText>[0], body: string): string =>
  createHmac('sha256', secret).update(proofText(parts, body)).digest('hex')

/** Compares a proof in constant time. */
export const isProof = (given: unknown, right: string): boolean =>
  typeof given === 'string' && /^[0-9a-f]{64}$/.test(given) && timingSafeEqual(Buffer.from(given), Buffer.from(right))
