import { isObject, parseJson } from '@sibyl/protocol'
import type { JsonObject } from '../definitions/json-object.ts'
import { type JwsAlgorithm, jwsAlgorithms } from '../proofs/verify-jws.ts'

/** The signature of a credential that is a JWT. */
export interface JwtProof {
  readonly alg: JwsAlgorithm
  /** DID URL of the key; undefined for the only key of the issuer. */
  readonly kid: string | undefined
  readonly signed: Uint8Array
  readonly signature: Uint8Array
}

/** A document that was read, or the reason why it is invalid. */
type Read =
  | { readonly ok: true; readonly document: JsonObject; readonly jwt?: JwtProof }
  | { readonly ok: false; readonly detail: string }

const refused = (detail: string) => ({ ok: false as const, detail })

/** Returns whether a text has the form of a JWT. */
export const isJwt = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)

/**
 * Reads a credential from a JWT: the payload itself (W3C VC-JOSE-COSE 1.0), or its claim `vc` (Data Model 1.1 §6.3.1), whose registered
 * claims are those of the credential.
 *
 * @param read reads the JSON of the payload
 */
export const readJwt = (token: string, read: (text: string) => Read): Read => {
  const [head = '', body = '', signature = ''] = token.split('.')
  const text = (part: string) => Buffer.from(part, 'base64url').toString('utf8')
  const header = parseJson(text(head))
  if (!isObject(header)) return refused('the header of the JWT is not valid JSON')
  const { kid, crit } = header
  const alg = jwsAlgorithms.find(one => one === header.alg)
  if (alg === undefined) return refused(`the algorithm of the JWT is not one of ${jwsAlgorithms.join(', ')}`)
  if (crit !== undefined || (kid !== undefined && typeof kid !== 'string'))
    return refused('the header of the JWT is not supported')
  const payload = read(text(body))
  if (!payload.ok) return payload
  const { iss, sub, jti, nbf, exp, vc, ...rest } = payload.document
  const claims = isObject(vc) ? vc : rest
  const isOld = isObject(vc)
  const time = (given: unknown) =>
    typeof given === 'number' && given > 0 && given < 1e11 ? new Date(given * 1000).toISOString() : undefined
  const [from, until] = isOld ? (['issuanceDate', 'expirationDate'] as const) : (['validFrom', 'validUntil'] as const)
  const { issuer, credentialSubject } = claims
  const issuerId = isObject(issuer) ? issuer.id : issuer
  const isSubject = isOld && sub !== undefined && isObject(credentialSubject)
  if (iss !== undefined && issuerId !== undefined && iss !== issuerId) return refused('iss is not the issuer')
  if (isOld && jti !== undefined && claims.id !== undefined && jti !== claims.id) return refused('jti is not the id')
  if (isSubject && credentialSubject.id !== undefined && credentialSubject.id !== sub)
    return refused('sub is not the id of the subject')
  const given: JsonObject = {
    ...(isOld && jti !== undefined ? { id: jti } : {}),
    ...(issuerId === undefined && iss !== undefined ? { issuer: isObject(issuer) ? { ...issuer, id: iss } : iss } : {}),
    ...(isSubject ? { credentialSubject: { ...credentialSubject, id: sub } } : {}),
    // The claims of the JWT are binding: they replace the times inside.
    ...(nbf === undefined ? {} : { [from]: time(nbf) ?? null }),
    ...(exp === undefined ? {} : { [until]: time(exp) ?? null }),
  }
  return {
    ok: true,
    document: { ...claims, ...given },
    jwt: { alg, kid, signed: Buffer.from(`${head}.${body}`), signature: Buffer.from(signature, 'base64url') },
  }
}
