import { shellText } from './shell-text.ts'

/** Returns a curl command for a call, with the key of the environment. */
export const curl = (
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): string =>
  [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${shellText(JSON.stringify(body))}`]),
    shellText(url),
  ].join(' ')
