import { randomUUID } from 'node:crypto'
import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'

/** A chat turn to ask for. */
export interface ChatCall {
  readonly url: string
  readonly agent: Agent
  /** The bearer; none where the server asks for none. */
  readonly token: string | undefined
  readonly text: string
}

/** Asks for a turn in a session of its own. */
export const startChat = (
  { url, agent, token, text }: ChatCall,
  onReply: (reply: IncomingMessage) => void,
): ClientRequest => {
  const body = JSON.stringify({
    id: randomUUID(),
    message: { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] },
  })
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const call = request(`${url}/chat`, { agent, method: 'POST', headers }, onReply)
  call.end(body)
  return call
}
