import { gatewaySecret } from '../ussd/gateway-settings.ts'
import type { Attempt } from './attempt.ts'

/** Sends an attempt. */
export const sendAttempt = async (
  url: string,
  { method, path, headers, body }: Attempt,
): Promise<{ readonly status: number; readonly body: string }> => {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-gateway-secret': gatewaySecret, ...headers },
    ...(method === 'GET' ? {} : { body }),
  })
  return { status: response.status, body: await response.text() }
}
