import type { Random } from '../frame/random.ts'
import { RawConnection } from '../frame/raw-http.ts'
import type { OracleProcess } from '../frame/start-oracle.ts'
import { gatewaySecret } from '../ussd/gateway-settings.ts'
import { FuzzJudge, type FuzzVerdict } from './judge.ts'
import { type FuzzedRequest, makeBody } from './make-body.ts'

/** Bodies to send. */
export interface HttpFuzzOrder {
  /** Of the oracle's database. */
  readonly file: string
  readonly random: Random
  readonly count: number
}

const atOnce = 8
const pollEvery = 400

/** Frequency of a body of 10 MB: one in this number. */
const hugeEvery = 2_000

/** Sends bodies over sockets, some in ways in which no client sends them. */
export const fuzzOverHttp = async (
  oracle: OracleProcess,
  { file, random, count }: HttpFuzzOrder,
): Promise<FuzzVerdict> => {
  const judge = new FuzzJudge(file)
  const port = Number(new URL(oracle.url).port)
  for (let sent = 0; sent < count; sent += pollEvery) {
    let left = Math.min(pollEvery, count - sent)
    const work = async () => {
      await using connection = new RawConnection(port)
      while (left-- > 0) {
        const { request, bytes } = dress(random, makeBody(random))
        const answer = await connection.send(bytes).catch(() => undefined)
        judge.hear(request, answer?.status ?? 0, answer?.body ?? '')
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    judge.check()
  }
  return judge.verdict
}

interface Dressed {
  readonly request: FuzzedRequest
  readonly bytes: Buffer
}

/**
 * Prepares a request for sending: unchanged, with another type, in chunks, falsely declared as compressed, not in
 * UTF-8, or huge. In a provider's form an invalid character may be in an unused field, or hide the changed one.
 */
const dress = (random: Random, request: FuzzedRequest): Dressed => {
  const body = Buffer.from(request.body)
  const withHead = (given: FuzzedRequest, headers: readonly string[], content: Buffer = body): Dressed => {
    const head = [
      `${given.method} /api/ussd${given.path.replace(/[^\x21-\x7e]/g, '%00')} HTTP/1.1`,
      'Host: localhost',
      `X-Gateway-Secret: ${gatewaySecret}`,
      ...headers,
    ]
    return { request: given, bytes: Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content]) }
  }
  const type = `Content-Type: ${request.contentType}`
  const sized = (content: Buffer) => `Content-Length: ${content.length}`
  if (request.method === 'GET') return withHead(request, [])
  if (random.integer(1, hugeEvery) === 1) {
    const huge = Buffer.from(request.body.padEnd(10_000_000, ' '))
    return withHead({ ...request, name: `${request.name}, 10 MB`, invalid: true }, [type, sized(huge)], huge)
  }
  const refused = (why: string) => ({ ...request, name: `${request.name}, ${why}`, invalid: true })
  const dressings: readonly (() => Dressed)[] = [
    () => withHead(request, [type, sized(body)]),
    () => withHead(request, [type, sized(body)]),
    () => withHead(request, [`${type}; charset=utf-8`, sized(body)]),
    () => withHead(request, [type, 'Transfer-Encoding: chunked'], chunked(body, random)),
    () =>
      withHead(refused('of another type'), [
        `Content-Type: ${random.pick(['text/plain', 'text/xml', 'image/png', 'x', ''])}`,
        sized(body),
      ]),
    () => withHead(request, [type, 'Content-Encoding: gzip', sized(body)]),
    () => {
      const at = random.integer(0, body.length)
      const broken = Buffer.concat([
        body.subarray(0, at),
        Buffer.from([random.pick([0xff, 0xc0, 0xfe, 0x80])]),
        body.subarray(at),
      ])
      return withHead(
        request.path === '' ? refused('not in UTF-8') : { ...request, invalid: undefined },
        [type, sized(broken)],
        broken,
      )
    },
  ]
  return random.pick(dressings)()
}

const chunked = (body: Buffer, random: Random): Buffer => {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const part = body.subarray(at, at + random.integer(1, 64))
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
    at += part.length
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}
