import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A request in the form of `POST /api/ussd`. */
export interface PlainRequest {
  readonly sessionId: string
  readonly serviceCode: string
  readonly phoneNumber: string
  readonly text: string
}

/** What a gateway answers: plain text, or whatever is done with the response; undefined for never. */
export type GatewayAnswer = string | ((response: ServerResponse) => void) | undefined

/** A gateway that speaks the plain route, and answers as it is told. */
export interface TestGateway {
  readonly url: string
  /** All that was asked, in order. */
  readonly requests: PlainRequest[]
  close(): Promise<void>
}

/** The start screen of `menus`. */
export const welcome = 'Welcome to Field Oracle\n1. Know More\n2. Account Menu\n*. Exit'

/** A small menu, by cumulative text. */
export const menus = ({ text }: PlainRequest): string => {
  if (text === '') return `CON ${welcome}`
  if (text.endsWith('*')) return 'END Goodbye.'
  return `CON You typed ${text}\n*. Exit`
}

/** Starts one on a free port, or on the one of a gateway that was closed. */
export const startGateway = async (
  answer: (request: PlainRequest, index: number) => GatewayAnswer = menus,
  port = 0,
): Promise<TestGateway> => {
  const requests: PlainRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request = (await json(incoming)) as PlainRequest
    requests.push(request)
    const answered = answer(request, requests.length - 1)
    if (typeof answered === 'function') answered(response)
    else if (answered !== undefined) response.setHeader('content-type', 'text/plain; charset=UTF-8').end(answered)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
