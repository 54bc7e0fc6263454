import type { ErrorIssue } from '@sibyl/plugin'
import { type credentialIssuer, didText, isObject, type JsonValue, jsonPointer, type ServiceOf } from '@sibyl/protocol'
import { evidenceEntry } from '../documents/credential-form.ts'
import { maxDocumentDepth } from '../documents/read-document.ts'

export type CredentialRequest = Parameters<ServiceOf<typeof credentialIssuer>['prepare']>[0]

/** Maximum length of subject and evidence together, as JSON, in characters. */
const maxContentCharacters = 150_000

/** Form of a credential's type: `CleanCookingCredential`. */
export const credentialType = /^[A-Z][A-Za-z0-9]{0,99}$/

/** Types that the standard reserves. */
const reservedTypes = ['VerifiableCredential', 'VerifiablePresentation', 'BitstringStatusListCredential']

/** Creates the problem of an input. @param path an RFC 6901 JSON Pointer */
export const issue = (path: string, code: string, message: string): ErrorIssue => ({ path, code, message })

/** Returns every problem of a request, with paths such as `/subject/id`. */
export const requestViolations = (request: Omit<CredentialRequest, 'idempotencyKey' | 'issuedBy'>): ErrorIssue[] => {
  const { type, subject, validFrom, validUntil, evidence = [] } = request
  const violations: ErrorIssue[] = []
  const violation = (path: string, code: string, message: string) => violations.push(issue(path, code, message))
  if (!credentialType.test(type) || reservedTypes.includes(type)) {
    violation('/type', 'wrong_type', 'must be a name such as CleanCookingCredential, and not a type of the standard')
  }
  if (!didText.safeParse(subject.id).success) violation('/subject/id', 'wrong_type', 'must be a DID')
  for (const [path, time] of Object.entries({ '/validFrom': validFrom, '/validUntil': validUntil })) {
    if (time !== undefined && !isWritable(time)) violation(path, 'out_of_range', 'must be in the years 0 to 9999, UTC')
  }
  if (validUntil !== undefined && validFrom !== undefined && validUntil <= validFrom) {
    violation('/validUntil', 'out_of_range', 'must be after validFrom')
  }
  for (const [place, entry] of evidence.entries()) {
    const { error } = evidenceEntry.safeParse(entry)
    const faulty = new Set(error?.issues.map(({ path: [member = ''] }) => member))
    if (faulty.has('type')) violation(`/evidence/${place}/type`, 'missing_property', 'must be a string')
    if (faulty.has('id')) violation(`/evidence/${place}/id`, 'wrong_type', 'must be a URL')
  }
  const content = { subject, evidence } as unknown as JsonValue
  if (JSON.stringify(content).length > maxContentCharacters) {
    violation('', 'too_large', `must have at most ${maxContentCharacters} characters of JSON`)
  } else violations.push(...valueViolations(content))
  return violations.slice(0, 20)
}

/** Returns whether a time, in milliseconds since 1970, has a year of four digits, as `xsd:dateTimeStamp` needs here. */
const isWritable = (time: number): boolean => time >= firstTime && time <= lastTime

const firstTime = Date.parse('0000-01-01T00:00:00Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

/** Finds names that are keywords of JSON-LD, invalid Unicode, and values that are nested too deep. */
const valueViolations = (value: JsonValue, path = '', depth = 0): ErrorIssue[] => {
  if (depth > maxDocumentDepth - 4) return [issue(path, 'too_deep', 'is nested too deep')]
  if (typeof value === 'string' && !value.isWellFormed()) {
    return [issue(path, 'wrong_type', 'is not valid Unicode')]
  }
  if (Array.isArray(value)) return value.flatMap((item, place) => valueViolations(item, `${path}/${place}`, depth + 1))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const at = jsonPointer(path, name.slice(0, 100))
    if (name.startsWith('@') || name === '__proto__' || !name.isWellFormed()) {
      return [issue(at, 'unknown_property', 'is not allowed as a name in a credential')]
    }
    return valueViolations(item, at, depth + 1)
  })
}
