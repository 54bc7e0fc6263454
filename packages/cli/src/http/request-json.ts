import { NetworkError } from '@sibyl/client'
import { parseJson } from '../home/parse-json.ts'
import { networkReason } from './network-reason.ts'

interface JsonRequest {
  readonly method: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Sends a request, and reads the response as JSON; undefined if its body is not JSON. Throws `NetworkError`. */
export const requestJson = async (
  address: string,
  { method, body, headers }: JsonRequest,
  { token, timeoutMs }: { readonly token?: string; readonly timeoutMs: number },
): Promise<{ readonly status: number; readonly content: unknown }> => {
  try {
    const response = await fetch(address, {
      method,
      headers: {
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, content: parseJson(await response.text()) }
  } catch (cause) {
    throw new NetworkError(address, networkReason(cause), { cause })
  }
}
