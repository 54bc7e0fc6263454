import { cleanText } from '@sibyl/plugin'
import { parseJson } from '../text/parse-json.ts'
import type { ModelFailureCode } from './classify-model-failure.ts'
import { errorCauses, propertyOf } from './error-causes.ts'

const mostCharacters = 200

/**
 * Returns the reason that a provider gave for a failure, for the operator's log alone: one line of 200 characters at most,
 * without control characters, digits of phone numbers, and anything that looks like a key. Undefined where it gave none.
 */
export const upstreamReason = (error: unknown): string | undefined => {
  for (const cause of errorCauses(error)) {
    const said = messageIn(propertyOf(cause, 'data')) ?? messageIn(bodyOf(propertyOf(cause, 'responseBody')))
    if (said !== undefined) return cleaned(said)
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
  cleanText(text.slice(0, mostCharacters * 4))
    .replace(/\b((?:sk|pk|rk)[-_]|Bearer )[\w*-]{6,}/gi, '$1•••')
    .replace(/\+?\d(?:[ -]?\d){6,}/g, '•••')
    .slice(0, mostCharacters)

const variables: Partial<Record<ModelFailureCode, string>> = {
  model_unreachable: 'OPENAI_BASE_URL',
  model_bad_response: 'OPENAI_BASE_URL',
  model_unauthorized: 'OPENAI_API_KEY',
  model_quota_exceeded: 'OPENAI_API_KEY',
  model_not_found: 'LLM_MODEL',
  model_context_too_long: 'LLM_MODEL',
  model_timeout: 'LLM_FIRST_BYTE_TIMEOUT_SECONDS',
}

/** Returns the variable to check first after a failure. */
export const variableToCheck = (code: ModelFailureCode): string | undefined => variables[code]
