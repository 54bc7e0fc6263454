import { shellText } from './shell-text.ts'

/** Parts of a call besides its URL. */
export interface CurlOptions {
  /** Variable of the environment with the credential. @default `KEY` */
  readonly key?: 'KEY' | 'ORACLE_OPERATOR_TOKEN'
  /** Whether the response is a stream. */
  readonly isStream?: boolean
}

/** Returns a curl command for a call, with a credential of the environment. */
export const curl = (
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
  { key = 'KEY', isStream = false }: CurlOptions = {},
): string =>
  [
    'curl',
    ...(isStream ? ['-N'] : []),
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `-H "Authorization: Bearer $${key}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${shellText(JSON.stringify(body))}`]),
    shellText(url),
  ].join(' ')

/** Returns a curl command for a call with the token of the operator. */
export const operatorCurl = (method: string, url: string, body?: unknown, options: CurlOptions = {}): string =>
  curl(method, url, body, {}, { ...options, key: 'ORACLE_OPERATOR_TOKEN' })
