import type { ApiClient, ApiRequest } from './api-client.ts'
import { Problem } from './problem.ts'
import { readRateLimit } from './rate-limit.ts'

/** Share of the requests of a minute that a long run leaves for the page. */
const leftShare = 0.1
/** Attempts of a request that gets no response, or 502 to 504. */
const maxAttempts = 5

/** Sends many requests one after another, as fast as the oracle accepts them. */
export interface PacedClient {
  /** Sends a request after the pause that the last response or a 429 requires. @throws Problem for what a retry does not change */
  send(method: string, path: string, request: ApiRequest): Promise<Response>
}

/** @param onWait Called with the end of each pause in milliseconds since 1970, and with undefined when it is over. */
export const createPacedClient = (
  api: Pick<ApiClient, 'send'>,
  signal: AbortSignal,
  onWait: (until: number | undefined) => void,
): PacedClient => {
  let waitSeconds = 0
  const wait = async () => {
    signal.throwIfAborted()
    if (waitSeconds === 0) return
    onWait(Date.now() + waitSeconds * 1_000)
    await pause(waitSeconds * 1_000, signal)
    waitSeconds = 0
    onWait(undefined)
  }
  return {
    async send(method, path, request) {
      for (let attempt = 1; ; attempt += 1) {
        await wait()
        try {
          const response = await api.send(method, path, { ...request, signal })
          const limit = readRateLimit(response.headers, 'did')
          if (limit && limit.left <= limit.limit * leftShare) waitSeconds = limit.seconds
          return response
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          const isLate = error.status === 0 || (error.status >= 502 && error.status <= 504)
          if (error.status === 429) attempt = 0
          else if (!isLate || attempt >= maxAttempts) throw error
          waitSeconds = error.retryAfter ?? 2 ** attempt
        }
      }
    },
  }
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
