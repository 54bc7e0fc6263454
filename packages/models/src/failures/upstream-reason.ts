import { cleanText } from '@sibyl/plugin'
import { parseJson } from '@sibyl/protocol'
import type { ModelFailureCode } from './classify-model-failure.ts'
import { errorCauses, propertyOf } from './error-causes.ts'

const maxCharacters = 200

/**
 * Returns the reason that a provider gave for a failure, for the operator's log alone: one line of 200 characters at most,
 * without control characters, digits of phone numbers, and anything that looks like a key. Undefined where it gave none.
 */
export const upstreamReason = (error: unknown): string | undefined => {
  for (const cause of errorCauses(error)) {
    const inStream = cause instanceof Error ? undefined : { error: cause }
    const body = bodyOf(propertyOf(cause, 'responseBody'))
    const text = messageIn(propertyOf(cause, 'data')) ?? messageIn(body) ?? messageIn(inStream)
    if (text !== undefined) return cleaned(text)
  }
  return undefined
}

/** The message of a body: `{ error: { message } }`, `{ error }`, `{ message }` or `{ detail }`. */
const messageIn = (body: unknown): string | undefined => {
  const error = propertyOf(body, 'error')
  const found = [propertyOf(error, 'message'), error, propertyOf(body, 'message'), propertyOf(body, 'detail')]
  return found.find((one): one is string => typeof one === 'string' && one.trim() !== '')
}

const bodyOf = (text: unknown): unknown => (typeof text === 'string' ? parseJson(text) : undefined)

const cleaned = (text: string): string =>
  cleanText(text.slice(0, maxCharacters * 4))
    .replace(/\b((?:sk|pk|rk)[-_]|Bearer )[\w*-]{6,}/gi, '$1•••')
    .replace(/\+?\d(?:[ -]?\d){6,}/g, '•••')
    .slice(0, maxCharacters)

/** The variables of a provider, as far as it has them. */
export interface ProviderVariables {
  readonly key?: string | undefined
  readonly address?: string | undefined
  readonly model?: string
}

const causes: Partial<Record<ModelFailureCode, keyof ProviderVariables>> = {
  model_unreachable: 'address',
  model_bad_response: 'address',
  model_unauthorized: 'key',
  model_quota_exceeded: 'key',
  model_not_found: 'model',
  model_context_too_long: 'model',
}

/** Returns the variable to check first after a failure; undefined where none of the provider's can be the cause. */
export const variableToCheck = (code: ModelFailureCode, variables: ProviderVariables): string | undefined => {
  if (code === 'model_timeout') return 'LLM_FIRST_BYTE_TIMEOUT_SECONDS'
  const cause = causes[code]
  return cause && variables[cause]
}
