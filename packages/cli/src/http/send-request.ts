import { NetworkError } from '@sibyl/client'
import { networkReason } from './network-reason.ts'

/** A request; with a body, it is JSON unless a header says otherwise. */
export interface HttpRequest {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
  readonly signal?: AbortSignal
}

/** Sends a request, and returns what `read` returns for the response of any status. Throws `NetworkError`. */
export const sendRequest = async <Content>(
  address: string,
  { body, headers, ...request }: HttpRequest,
  read: (response: Response) => Promise<Content>,
): Promise<Content> => {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  try {
    const init = {
      ...request,
      body: body ?? null,
      headers: { ...type, ...headers },
      redirect: 'manual',
      cache: 'no-store',
    } as const
    return await read(await fetch(address, init))
  } catch (cause) {
    throw new NetworkError(address, networkReason(cause), { cause })
  }
}
