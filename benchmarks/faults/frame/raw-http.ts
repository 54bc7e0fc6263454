import { connect, type Socket } from 'node:net'

/** An answer as it came over the socket. */
export interface RawAnswer {
  readonly status: number
  /** Names in lower case; of a header that came twice, the last. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The longest that an answer is waited for, in milliseconds. */
const answerTimeLimitMs = 30_000

/** An HTTP/1.1 connection that sends bytes as they are given, also such as no client library would send. */
export class RawConnection implements AsyncDisposable {
  readonly #port: number
  #socket: Socket | undefined
  #received = Buffer.alloc(0)
  #wake: () => void = () => {}

  /** @param port of an oracle on 127.0.0.1 */
  constructor(port: number) {
    this.#port = port
  }

  /**
   * Sends a request and reads its response, over the previous connection if the server has kept it.
   *
   * @param bodyless True if a response has no body regardless of its headers, as to HEAD.
   * @returns undefined if the server closed the connection without a response
   * @throws Error without a response within half a minute
   */
  async send(request: string | Uint8Array, bodyless = false): Promise<RawAnswer | undefined> {
    const socket = await this.open()
    this.#received = Buffer.alloc(0)
    socket.write(request)
    const timer = setTimeout(() => socket.destroy(), answerTimeLimitMs)
    const started = performance.now()
    try {
      for (;;) {
        const answer = readAnswer(this.#received, bodyless, socket.destroyed)
        if (answer) {
          if (answer.headers.connection === 'close') socket.destroy()
          return answer
        }
        if (socket.destroyed) {
          if (performance.now() - started >= answerTimeLimitMs) throw new Error('No answer came within half a minute.')
          return undefined
        }
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
      }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Connects, unless it is connected. @throws Error when the server does not take the connection */
  async open(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed) return this.#socket
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    this.#socket = socket
    socket.on('data', chunk => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('end', () => socket.destroy())
    socket.on('close', () => this.#wake())
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    socket.on('error', () => {})
    return socket
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket?.destroy()
  }
}

/** Reads a whole answer; undefined while there is more to come. */
const readAnswer = (received: Buffer, bodyless: boolean, ended: boolean): RawAnswer | undefined => {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(first.split(' ')[1])
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const rest = received.subarray(headEnd + 4)
  if (status === 100) return readAnswer(rest, bodyless, ended)
  const answer = (body: string): RawAnswer => ({ status, headers, body })
  if (bodyless || status === 204 || status === 304) return answer('')
  if (headers['content-length'] !== undefined) {
    return rest.length >= Number(headers['content-length']) ? answer(rest.toString()) : undefined
  }
  if (headers['transfer-encoding'] === 'chunked') {
    return rest.includes('0\r\n\r\n') ? answer(rest.toString()) : undefined
  }
  return ended ? answer(rest.toString()) : undefined
}
