import { setTimeout as wait } from 'node:timers/promises'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { callGateway, type GatewayAddress, type GatewayReply, type GatewayRequest } from './call-gateway.ts'

/** The result of a request, and of its second delivery if that got another reply. */
export interface Delivery {
  readonly reply: GatewayReply
  readonly other?: GatewayReply
}

/** The network between a phone and the gateway, with simulated errors. */
export class MobileNetwork {
  readonly #address: GatewayAddress
  readonly #patienceMs: number
  /** The delay of a request and its reply together. */
  slowSeconds: number
  /** Whether each request is delivered twice at once, as networks sometimes do. */
  twice: boolean

  /** @param options.patienceMs Timeout of a reply, in milliseconds. @default 15000 */
  constructor(address: GatewayAddress, { slowSeconds = 0, twice = false, patienceMs = 15_000 } = {}) {
    this.#address = address
    this.#patienceMs = patienceMs
    this.slowSeconds = slowSeconds
    this.twice = twice
  }

  /**
   * Delivers a request, and returns the reply.
   *
   * @throws `gateway_timeout` after its timeout, the errors of `callGateway`, or the reason of the signal
   */
  async deliver(request: GatewayRequest, signal: AbortSignal): Promise<Delivery> {
    const giveUp = AbortSignal.timeout(this.#patienceMs)
    const either = AbortSignal.any([signal, giveUp])
    const travel = () => wait(this.slowSeconds * 500, undefined, { signal: either })
    try {
      await travel()
      const send = () => callGateway(this.#address, request, either)
      const [reply, other] = await Promise.all([send(), this.twice ? send() : undefined])
      await travel()
      return other && !isSame(reply, other) ? { reply, other } : { reply }
    } catch (error) {
      signal.throwIfAborted()
      if (!giveUp.aborted) throw error
      throw cliErrors.gateway_timeout(
        `No response within ${this.#patienceMs / 1000} s: a phone would show "connection problem", and the session is over.`,
        this.slowSeconds > 0 ? 'The network is set to slow.' : 'Read the log of the oracle.',
        { cause: error },
      )
    }
  }
}

const isSame = (one: GatewayReply, other: GatewayReply): boolean => one.kind === other.kind && one.text === other.text
