import { generateKeyPairSync } from 'node:crypto'
import { createRequire } from 'node:module'
import { credentials } from '@sibyl/plugin-credentials'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'

const clients = createRequire(new URL('../../clients/package.json', import.meta.url))

/** The libraries of issuers, as far as the tests use them. */
interface Jose {
  exportJWK(key: unknown): Promise<object>
  generateKeyPair(alg: string): Promise<{ readonly publicKey: unknown; readonly privateKey: unknown }>
  readonly SignJWT: new (
    payload: object,
  ) => { setProtectedHeader(header: object): { sign(key: unknown): Promise<string> } }
}
interface DidJwtVc {
  createVerifiableCredentialJwt(payload: object, issuer: object): Promise<string>
}
type DidJwt = Record<'ES256Signer' | 'ES256KSigner' | 'EdDSASigner', (secret: Uint8Array) => unknown>
interface StatusList {
  createList(options: { readonly length: number }): Promise<{ setStatus(place: number, isSet: boolean): void }>
  createCredential(options: object): Promise<object>
}

const jose = clients('jose') as Jose
const { createVerifiableCredentialJwt } = clients('did-jwt-vc') as DidJwtVc
const didJwt = clients('did-jwt') as DidJwt
const statusList = clients('@digitalbazaar/vc-status-list') as StatusList

const didOf = (jwk: object): string => `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`

/** An issuer that signs with did-jwt-vc. */
const issuerWith = (alg: 'ES256' | 'ES256K' | 'EdDSA') => {
  const { privateKey, publicKey } =
    alg === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: alg === 'ES256' ? 'P-256' : 'secp256k1' })
  const secret = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
  return { did: didOf(publicKey.export({ format: 'jwk' })), signer: didJwt[`${alg}Signer`](secret), alg }
}

/** An oracle that reaches some documents by https. */
const startVerifier = async (documents: Readonly<Record<string, string>> = {}) => {
  const oracle = await testApp({
    plugins: [
      credentials({
        async fetch(url) {
          const body = new Uint8Array(Buffer.from(documents[String(url)] ?? ''))
          return { url: String(url), status: 200, headers: new Headers(), body, isComplete: true } as never
        },
      }),
    ],
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  return async (jwt: string) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/jwt' }, body: jwt }
    const { checks } = await (await oracle.app.request('/credentials/verify', init)).json()
    return checks.filter(({ ok }: { ok: boolean }) => !ok)
  }
}

const vc = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: ['VerifiableCredential'],
  credentialSubject: { degree: 'Bachelor' },
}
const claims = { sub: 'did:web:somebody.example', nbf: 1_767_225_600, vc }

test.each(['ES256', 'ES256K', 'EdDSA'] as const)('a credential of did-jwt-vc with %s is verified', async alg => {
  const verify = await startVerifier()
  expect(await verify(await createVerifiableCredentialJwt(claims, issuerWith(alg)))).toEqual([])
})

test.each(['RS256', 'PS256', 'ES256'])('a credential that jose signs with %s is verified', async alg => {
  const verify = await startVerifier()
  const { publicKey, privateKey } = await jose.generateKeyPair(alg)
  const iss = didOf(await jose.exportJWK(publicKey))
  const sign = (header: object) =>
    new jose.SignJWT({ ...claims, iss }).setProtectedHeader({ typ: 'JWT', ...header }).sign(privateKey)
  expect(await verify(await sign({ alg, kid: '#0' }))).toEqual([])
})

test('a status list of @digitalbazaar/vc-status-list is read', async () => {
  const issuer = issuerWith('ES256K')
  const url = 'https://issuer.example/status/3'
  const list = await statusList.createList({ length: 131_072 })
  list.setStatus(94_567, true)
  const listed = await statusList.createCredential({ id: url, list, statusPurpose: 'revocation' })
  const signed = await createVerifiableCredentialJwt({ nbf: claims.nbf, vc: listed }, issuer)
  const verify = await startVerifier({ [url]: signed })
  const failedWith = async (place: number) => {
    const entry = { id: `${url}#${place}`, type: 'StatusList2021Entry', statusPurpose: 'revocation' }
    const credentialStatus = { ...entry, statusListIndex: String(place), statusListCredential: url }
    const contexts = [...vc['@context'], 'https://w3id.org/vc/status-list/2021/v1']
    const credential = { ...claims, vc: { ...vc, '@context': contexts, credentialStatus } }
    return verify(await createVerifiableCredentialJwt(credential, issuer))
  }
  expect(await failedWith(94_566)).toEqual([])
  expect(await failedWith(94_567)).toEqual([{ name: 'status', ok: false, detail: 'it was revoked' }])
})
