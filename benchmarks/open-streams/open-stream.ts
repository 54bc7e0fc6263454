import type { Agent } from 'node:http'
import { startChat } from '../measure/start-chat.ts'

/** A chat stream that stays open. */
export interface OpenStream {
  /** Milliseconds from the request to the first byte of the answer. */
  readonly firstByteMs: number
  close(): void
}

/** Starts a turn in a session of its own and resolves at the first byte of its stream, which stays open. */
export const openStream = (url: string, agent: Agent, token: string | undefined): Promise<OpenStream> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const call = startChat({ url, agent, token, text: 'Tell me all.' }, reply => {
      if (reply.statusCode !== 200) {
        reject(new Error(`a stream was refused with ${reply.statusCode}`))
        call.destroy()
        return
      }
      reply.once('data', () => {
        resolve({ firstByteMs: performance.now() - started, close: () => call.destroy() })
        reply.resume()
      })
      reply.on('error', () => {})
    })
    call.on('error', reject)
  })
