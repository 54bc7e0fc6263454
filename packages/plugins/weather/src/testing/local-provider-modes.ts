import type { ServerResponse } from 'node:http'
import type { ProviderAnswer } from './local-provider-answers.ts'

/** Modes of a local provider: `ok`, or a way in which a real one fails. */
export const providerModes = [
  'ok',
  /** Never answers. */
  'slow',
  /** Sends its response at one byte per second. */
  'drip',
  /** Status 500. */
  'error',
  /** Closes the first connection, answers the next ones. */
  'flaky',
  /** Status 429. */
  'busy',
  /** Text that is not JSON. */
  'garbage',
  /** JSON of another shape. */
  'stranger',
  /** No body. */
  'empty',
  /** A megabyte. */
  'huge',
  /** Status 302 to another path of the same server, which would return a valid response. */
  'redirect',
  /** Half of the response, then closes the connection. */
  'half',
] as const

export type ProviderMode = (typeof providerModes)[number]

/** Answers one request; `answer` is the response of a healthy provider. */
export type Respond = (response: ServerResponse, answer: ProviderAnswer, url: URL) => void

const json = { 'content-type': 'application/json; charset=utf-8' }

const respondWell = (response: ServerResponse, { status, body }: ProviderAnswer) =>
  response.writeHead(status, json).end(JSON.stringify(body))

/** Returns the behavior of a provider in a mode. */
export const responder = (mode: ProviderMode): Respond => {
  switch (mode) {
    case 'ok':
      return respondWell
    case 'slow':
      return () => {}
    case 'drip':
      return (response, { body }) => {
        const text = JSON.stringify(body)
        let sent = 0
        response.writeHead(200, json).write(text.slice(0, ++sent))
        const timer = setInterval(() => response.write(text.slice(sent, ++sent)), 1000)
        response.once('close', () => clearInterval(timer))
      }
    case 'error':
      return response => respondWell(response, { status: 500, body: { error: true, reason: 'secret-upstream-text' } })
    case 'busy':
      return response => respondWell(response, { status: 429, body: { error: true, reason: 'secret-upstream-text' } })
    case 'flaky': {
      let calls = 0
      return (response, answer) => (++calls === 1 ? response.destroy() : respondWell(response, answer))
    }
    case 'garbage':
      return response => response.writeHead(200, json).end('<html>secret-upstream-text</html>')
    case 'stranger':
      return response => respondWell(response, { status: 200, body: { results: 'secret-upstream-text', current: [] } })
    case 'empty':
      return response => response.writeHead(200, json).end()
    case 'huge':
      return response => respondWell(response, { status: 200, body: { padding: 'x'.repeat(1024 * 1024) } })
    case 'redirect':
      return (response, answer, { pathname, search }) =>
        pathname.startsWith('/elsewhere')
          ? respondWell(response, answer)
          : response.writeHead(302, { location: `/elsewhere${pathname}${search}` }).end()
    case 'half':
      return (response, { body }) => {
        const text = JSON.stringify(body)
        response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(text) })
        response.write(text.slice(0, text.length / 2), () => response.destroy())
      }
  }
}
