import type { PhoneCall, PhoneForm } from '@sibyl/bundle/phone'
import { NetworkError } from '@sibyl/client'
import { readText } from '@sibyl/plugin'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { noGateway } from '../../../errors/no-gateway.ts'
import { networkReason } from '../../../http/network-reason.ts'
import { cleanLine } from '../../../output/clean-text.ts'

/** One request as a telecom gateway sends it, in the form of its provider. */
export interface GatewayRequest {
  readonly form: PhoneForm
  readonly call: PhoneCall
}

/** A reply of the gateway: a screen that waits for an answer, or the closing message of a session. */
export interface GatewayReply {
  readonly kind: 'continue' | 'end'
  readonly text: string
  /** The HTTP status, where it is not 200. */
  readonly status?: number
  /** Seconds until a retry, if the gateway sends them. */
  readonly retryAfterSeconds?: number
}

/** Maximum size of a reply that is read, in bytes. */
const longestBody = 16_384

export interface GatewayAddress {
  readonly url: string
  /** The `USSD_GATEWAY_SECRET` of an oracle that accepts only trusted gateways. */
  readonly secret: string | undefined
}

/**
 * Sends one request to the gateway of an oracle.
 *
 * @throws `gateway_missing` when the response is not a reply of a gateway, NetworkError, or the reason of the signal
 */
export const callGateway = async (
  { url, secret }: GatewayAddress,
  { form, call }: GatewayRequest,
  signal: AbortSignal,
): Promise<GatewayReply> => {
  const { method, path, headers, body: sent } = form.request(call)
  const address = url + path
  let response: Response
  let body: string
  try {
    response = await fetch(address, {
      method,
      headers: { ...headers, ...(secret ? { 'x-gateway-secret': secret } : {}) },
      ...(sent === undefined ? {} : { body: sent }),
      redirect: 'manual',
      cache: 'no-store',
      signal,
    })
    body = await readText(response, { maxBytes: longestBody, onTooLarge: 'truncate' })
  } catch (cause) {
    signal.throwIfAborted()
    throw new NetworkError(address, networkReason(cause), { cause })
  }
  return replyOf(response, form.read(body)) ?? fail(response, url)
}

const replyOf = ({ status, headers }: Response, read: ReturnType<PhoneForm['read']>): GatewayReply | undefined => {
  if (read === undefined || !isReply(headers)) return undefined
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  return {
    ...read,
    ...(status === 200 ? {} : { status }),
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
  }
}

const isReply = (headers: Headers): boolean =>
  /^(text\/plain|application\/json)\s*(;|$)/i.test(headers.get('content-type') ?? '')

const fail = ({ status, headers }: Response, url: string): never => {
  if (status === 401 || status === 404) throw noGateway(url, status)
  const type = cleanLine(headers.get('content-type') ?? 'no content type').slice(0, 80)
  throw cliErrors.gateway_missing(
    `This is not a USSD gateway: ${url} answered ${status} with ${type}, not the reply of a gateway.`,
    status >= 500 ? 'Read the log of the oracle.' : 'Pass another address with --url.',
  )
}
