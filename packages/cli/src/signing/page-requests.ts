import { publicKeyFromDid } from '@sibyl/identity'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import type { ClaimAnswer } from './signing-protocol.ts'
import type { SigningSession } from './signing-session.ts'

interface PageAnswer {
  readonly status: number
  readonly value: unknown
}

/** Answers the requests of the page, after it has proved that it knows the secret. */
export interface PageRequests {
  /**
   * @param name The path after the id of the request: `claim`.
   * @param gone Aborts when the client has disconnected.
   */
  answer(name: string, body: string, gone: AbortSignal): Promise<PageAnswer>
  /** Resolves when the page has received the final state. */
  readonly told: Promise<void>
}

/** Timeout of a long poll for the state, in milliseconds. */
const watchFor = 20_000

/** Maximum number of concurrent polls by tabs of one browser. */
const maxWatching = 4

const device = z.string().regex(/^[0-9a-f]{32}$/)

const bodies = {
  claim: z.strictObject({ device }),
  key: z.strictObject({ device, did: z.string().refine(did => publicKeyFromDid(did) !== undefined) }),
  sign: z.strictObject({ device, delegation: z.string().max(8_192), signature: z.string().regex(/^[0-9a-f]{128}$/) }),
  refuse: z.strictObject({ device }),
  watch: z.strictObject({ device }),
}

type Bodies = { readonly [Name in keyof typeof bodies]: z.infer<(typeof bodies)[Name]> }

/**
 * Creates the answers for one request.
 *
 * @param secondsLeft Until it expires.
 */
export const pageRequests = (session: SigningSession, secondsLeft: () => number): PageRequests => {
  const watching = new Set<() => void>()
  const reported = Promise.withResolvers<void>()

  /** Waits until the request ends, the page disconnects, another poll needs the slot, or 20 seconds have passed. */
  const news = (gone: AbortSignal) =>
    new Promise<void>(resolve => {
      const [oldest] = watching
      if (watching.size >= maxWatching) oldest?.()
      const stop = () => {
        clearTimeout(timer)
        watching.delete(stop)
        resolve()
      }
      const timer = setTimeout(stop, watchFor)
      watching.add(stop)
      gone.addEventListener('abort', stop)
      void session.ended.then(stop)
    })

  const acts: { readonly [Name in keyof Bodies]: (body: Bodies[Name], gone: AbortSignal) => unknown } = {
    claim: (): ClaimAnswer => ({ facts: session.facts, secondsLeft: secondsLeft() }),
    key: ({ did }) => session.nameKey(did),
    sign: ({ delegation, signature }) => session.sign({ delegation, signature }),
    refuse: () => session.end('refused'),
    watch: (_, gone) => (session.state === 'waiting' ? news(gone) : undefined),
  }

  const act = async <Name extends keyof Bodies>(name: Name, text: string, gone: AbortSignal): Promise<PageAnswer> => {
    const body = bodies[name].safeParse(parseJson(text))
    if (!body.success) return violation(400, 'input_invalid', 'The page does not send such requests.')
    const isItsOwn = name === 'claim' ? session.claim(body.data.device) : session.isOf(body.data.device)
    if (!isItsOwn) return violation(409, 'signing_taken', 'Another device opened this link first.')
    const value = await acts[name](body.data as Bodies[Name], gone)
    if (value !== undefined) return { status: 200, value }
    if (session.state !== 'waiting' && !gone.aborted) reported.resolve()
    return { status: 200, value: { state: session.state } }
  }

  return {
    told: reported.promise,
    answer: async (name, text, gone) =>
      isRoute(name) ? act(name, text, gone) : violation(404, 'route_not_found', 'The file does not exist.'),
  }
}

const isRoute = (name: string): name is keyof Bodies => Object.hasOwn(bodies, name)

const violation = (status: number, code: string, message: string): PageAnswer => ({ status, value: { code, message } })
