import { createConfig, lintFromString } from '@redocly/openapi-core'

/** An error of the document: its place, the rule, and a message. */
export interface DocumentViolation {
  readonly severity: 'error' | 'warn'
  readonly rule: string
  /** A JSON pointer into the document. */
  readonly place: string
  readonly message: string
}

const problemRule = 'operation-4xx-problem-details-rfc7807'

/** Where refusals have the form of another standard than RFC 9457: that of W3C DID Resolution. */
const otherForms = '#/paths/~11.0~1identifiers~1{did}/'

/** Lints an OpenAPI document by the rules that Redocly recommends and a few more. It reads nothing but the text. */
export const lintDocument = async (text: string): Promise<DocumentViolation[]> => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The licence of what an oracle serves is its operator's to choose.
      'info-license': 'off',
      'info-license-strict': 'off',
      'operation-tag-defined': 'error',
      [problemRule]: 'error',
    },
  })
  const problems = await lintFromString({ source: text, config })
  return problems
    .map(({ severity, ruleId, message, location }) => ({
      severity,
      rule: ruleId,
      place: location[0]?.pointer ?? '',
      message,
    }))
    .filter(({ rule, place }) => rule !== problemRule || !place.startsWith(otherForms))
}
