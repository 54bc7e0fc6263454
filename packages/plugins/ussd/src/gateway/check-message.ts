import type { ProviderMessage } from '../providers/ussd-provider.ts'
import type { RequestFields } from '../requests/request-fields.ts'

const events: ReadonlySet<unknown> = new Set(['dial', 'input', 'release', 'timeout'])

/** Replaces a missing code, so that one schema serves both. */
const anyCode = '*1#'

/**
 * Checks what a provider's adapter read, which may be one of somebody's own: the same rules as for the spec's own form. The
 * service code may be empty, as not every provider says it in each request.
 *
 * @returns whether it may reach a session
 */
export const isValidMessage = (message: ProviderMessage, fields: RequestFields): boolean => {
  const { event, text, sequence, serviceCode, dialled } = message
  if (!events.has(event) || (event === 'dial' && text !== '')) return false
  if (sequence !== undefined && !(Number.isSafeInteger(sequence) && sequence >= 0)) return false
  if (dialled !== undefined && !fields.shape.serviceCode.safeParse(dialled).success) return false
  return fields.safeParse(serviceCode === '' ? { ...message, serviceCode: anyCode } : message).success
}
