import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@sibyl/plugin'
import type { credentialChecks, ServiceOf } from '@sibyl/protocol'
import { earlierContext, type KnownContexts } from '../contexts/known-contexts.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import { type CredentialForm, contextViolation, credentialForm, issuerOf } from '../documents/credential-form.ts'
import { type ReadDocument, readDocument } from '../documents/read-document.ts'
import type { JwtProof } from '../documents/read-jwt.ts'
import { type DataIntegrityProof, dataIntegrityProof } from '../proofs/data-integrity-proof.ts'
import { openKey } from '../proofs/public-keys.ts'
import { keyKindOf, verifyJws } from '../proofs/verify-jws.ts'
import { verifyProof } from '../proofs/verify-proof.ts'
import { type Check, type CheckName, failed, passed, type Verdict } from '../records/verdict.ts'
import { checkStatus, type StatusSource } from './check-status.ts'
import { findKey, type OwnKeys, type ResolveDid, retirementViolation } from './find-key.ts'

type CredentialCheck = Parameters<ServiceOf<typeof credentialChecks>['use']>[0]

interface VerifierDependencies {
  readonly clock: Clock
  readonly resolveDid: ResolveDid
  readonly ownKeys: OwnKeys
  readonly status: StatusSource
  readonly contexts: KnownContexts
}

export type CredentialVerifier = ReturnType<typeof createVerifier>

/** Tolerated clock difference, in milliseconds. */
const skewMs = 60_000

/**
 * Creates the verifier (W3C Verifiable Credentials Data Model 2.0 §7.1). The verdict contains the problems of a
 * credential.
 */
export const createVerifier = (parts: VerifierDependencies) => ({
  verify: (read: ReadDocument) => judge(read, parts, true),
  /** Verifies without the status check, for status lists themselves. */
  verifyWithoutStatus: (read: ReadDocument) => judge(read, parts, false),
})

const judge = async (read: ReadDocument, parts: VerifierDependencies, withStatus: boolean): Promise<Verdict> => {
  if (!read.ok) return verdictOf([failed('structure', read.detail)])
  const { jwt } = read
  const parsed = credentialForm.safeParse(jwt ? { ...read.document, proof: {} } : read.document)
  if (!parsed.success) return verdictOf([failed('structure', describe(parsed.error.issues))])
  const credential = parsed.data
  const model = credential['@context'][0] === earlierContext ? '1.1' : '2.0'
  const structure = passed('structure', `it is a credential of the W3C data model ${model}`)
  const unknown = contextViolation(read.document, parts.contexts.urls)
  if (unknown !== undefined) return verdictOf([structure, failed('context', unknown)])
  const now = parts.clock.now()
  const checks = [
    structure,
    passed('context', 'all its contexts are known'),
    ...(jwt ? await judgeJwt(jwt, credential, parts) : await judgeProofs(read.document, credential, now, parts)),
    checkValidity(credential, now),
  ]
  if (!withStatus) return verdictOf(checks)
  const { verified } = verdictOf(checks)
  return verdictOf([...checks, await checkStatus(credential, verified, parts.status)])
}

const verdictOf = (checks: Check[]): Verdict => ({ verified: checks.every(({ ok }) => ok), checks })

const describe = (issues: readonly { readonly path: PropertyKey[]; readonly message: string }[]): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length > 0 ? `/${path.map(String).join('/')}` : 'it'} ${message}`)
    .join('; ')
    .slice(0, 500)

/** Judges the proofs of a set; all must hold. They are verified in order, up to the first that fails. */
const judgeProofs = async (
  document: JsonObject,
  credential: CredentialForm,
  now: number,
  parts: VerifierDependencies,
): Promise<Check[]> => {
  const proofs = [credential.proof].flat()
  const names = ['proof', 'issuer', 'key', 'signature'] as const
  let checks: Check[] = []
  for (const [index, proof] of proofs.entries()) {
    const judged = await judgeProof(document, credential, proof, now, parts)
    const found = names.map(name => judged[name])
    const place = `proof ${index + 1} of ${proofs.length}: `
    if (!found.every(({ ok }) => ok)) {
      return found.map(one => (one.ok || proofs.length === 1 ? one : failed(one.name, place + one.detail)))
    }
    if (index === 0) checks = found
    await setImmediate()
  }
  return checks
}

const judgeProof = async (
  document: JsonObject,
  credential: CredentialForm,
  raw: unknown,
  now: number,
  parts: VerifierDependencies,
): Promise<Record<'proof' | 'issuer' | 'key' | 'signature', Check>> => {
  const unknown = 'not checked, because the check before it failed'
  const checks = {
    proof: failed('proof', unknown),
    issuer: failed('issuer', unknown),
    key: failed('key', unknown),
    signature: failed('signature', unknown),
  }
  const parsed = dataIntegrityProof.safeParse(raw)
  if (!parsed.success) return { ...checks, proof: failed('proof', describe(parsed.error.issues)) }
  const proof = parsed.data
  checks.proof = checkProof(proof, now)
  const issuer = issuerOf(credential)
  if (proof.verificationMethod.split('#', 1)[0] !== issuer) {
    return { ...checks, issuer: failed('issuer', `the key of the proof does not belong to ${issuer}`) }
  }
  const resolved = await parts.resolveDid(issuer)
  if ('fault' in resolved) return { ...checks, issuer: failed('issuer', resolved.fault) }
  checks.issuer = passed('issuer', `it was resolved: ${issuer}`)
  const key = findKey(resolved.document, proof)
  if ('fault' in key) return { ...checks, key: failed('key', key.fault) }
  if (openKey(key.publicKeyMultibase)?.kind !== 'Ed25519') {
    return { ...checks, key: failed('key', `the key ${proof.verificationMethod} is not an Ed25519 Multikey`) }
  }
  checks.key = await checkKey(key.publicKeyMultibase, proof, credential, parts.ownKeys)
  const verdict = await verifyProof(withoutProof(document), proof, key.publicKeyMultibase, parts.contexts.load)
  checks.signature = verdict.ok
    ? passed('signature', `${proof.cryptosuite}: the content is unaltered`)
    : failed('signature', verdict.detail)
  return checks
}

/** Judges the signature of a JWT (W3C VC-JOSE-COSE 1.0 §4.1). This oracle signs none. */
const judgeJwt = async (jwt: JwtProof, credential: CredentialForm, parts: VerifierDependencies): Promise<Check[]> => {
  const { alg } = jwt
  const checks = [passed('proof', `${alg}, a JWT`)]
  const issuer = issuerOf(credential)
  if (issuer === parts.ownKeys.identity.publicDid) {
    return [...checks, failed('issuer', 'this oracle does not issue credentials as JWT')]
  }
  const resolved = await parts.resolveDid(issuer)
  if ('fault' in resolved) return [...checks, failed('issuer', resolved.fault)]
  const { assertionMethod: [only, ...others] = [] } = resolved.document
  const named = jwt.kid ?? (others.length === 0 ? only : undefined)
  if (named === undefined) return [...checks, failed('key', 'the JWT has no kid, and the issuer has several keys')]
  const verificationMethod = named.startsWith('#') ? issuer + named : named
  const key = findKey(resolved.document, { verificationMethod })
  checks.push(passed('issuer', `it was resolved: ${issuer}`))
  if ('fault' in key) return [...checks, failed('key', key.fault)]
  const opened = openKey(key.publicKeyMultibase)
  const kind = keyKindOf(alg)
  if (opened?.kind !== kind) return [...checks, failed('key', `${alg} needs a usable key of the kind ${kind}`)]
  checks.push(passed('key', `it may sign for the issuer: ${key.publicKeyMultibase}`))
  return [
    ...checks,
    verifyJws(alg, opened, jwt.signed, jwt.signature)
      ? passed('signature', `${alg}: the content is unaltered`)
      : failed('signature', 'the signature does not match this key and content'),
  ]
}

const withoutProof = ({ proof: _, ...document }: JsonObject): JsonObject => document

const checkProof = ({ proofPurpose, created, expires, cryptosuite }: DataIntegrityProof, now: number): Check => {
  if (proofPurpose !== 'assertionMethod') {
    return failed('proof', `its purpose is '${proofPurpose}', but a credential needs assertionMethod`)
  }
  if (created !== undefined && Date.parse(created) > now + skewMs)
    return failed('proof', `its creation time is in the future: ${created}`)
  if (expires !== undefined && Date.parse(expires) < now - skewMs) return failed('proof', `it expired: ${expires}`)
  return passed('proof', `${cryptosuite}, ${created ?? 'undated'}`)
}

const checkKey = async (
  publicKeyMultibase: string,
  proof: DataIntegrityProof,
  credential: CredentialForm,
  ownKeys: OwnKeys,
): Promise<Check> => {
  if (issuerOf(credential) === ownKeys.identity.publicDid) {
    const violation = await retirementViolation(publicKeyMultibase, proof, credential.id, ownKeys)
    if (violation !== undefined) return failed('key', violation)
  }
  return passed('key', `it may sign for the issuer: ${publicKeyMultibase}`)
}

const checkValidity = (credential: CredentialForm, now: number): Check => {
  const { validFrom = credential.issuanceDate, validUntil = credential.expirationDate } = credential
  const name: CheckName = 'validity'
  if (validFrom !== undefined && Date.parse(validFrom) > now + skewMs)
    return failed(name, `it is valid from ${validFrom}`)
  if (validUntil !== undefined && Date.parse(validUntil) < now - skewMs)
    return failed(name, `it was valid until ${validUntil}`)
  return passed(
    name,
    validUntil === undefined ? 'it is valid now and does not expire' : `it is valid until ${validUntil}`,
  )
}

/** Verifies the complete credentials that entities are registered with. */
export const checkGiven =
  (verifier: CredentialVerifier): CredentialCheck =>
  async credential => {
    const { verified, checks } = await verifier.verify(readDocument(JSON.stringify(credential)))
    if (!verified) {
      const bad = checks.find(({ ok }) => !ok)
      return { verified: false, detail: `${bad?.name}: ${bad?.detail}` }
    }
    const { id, type, issuer } = credential as { readonly id?: string; readonly type: unknown } & Pick<
      CredentialForm,
      'issuer'
    >
    const types = [type].flat().map(String)
    return {
      verified: true,
      ...(id === undefined ? {} : { id }),
      type: types.find(one => one !== 'VerifiableCredential') ?? 'VerifiableCredential',
      issuer: issuerOf({ issuer }),
    }
  }
