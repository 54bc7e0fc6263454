import { readFileSync } from 'node:fs'
import { signingKeyFromSecret } from '@sibyl/identity'
import { fromBase58 } from '@sibyl/plugin'
import { expect, test } from 'vitest'
import { loadBundledContext } from '../contexts/known-contexts.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import { dataIntegrityProof } from './data-integrity-proof.ts'
import { jcsDigest } from './jcs-digest.ts'
import { rdfcDigest } from './rdfc-digest.ts'
import { signDocument } from './sign-document.ts'
import { verifyProof } from './verify-proof.ts'

interface Vectors {
  readonly key: { readonly publicKeyMultibase: string; readonly secretKeyMultibase: string }
  readonly document: JsonObject
  readonly proofs: readonly { readonly source: string; readonly proof: JsonObject }[]
  readonly digests: readonly { readonly cryptosuite: string; readonly proof: JsonObject; readonly hex: string }[]
}

const vectors: Vectors = JSON.parse(readFileSync(new URL('w3c-vectors.test.json', import.meta.url), 'utf8'))

/** The examples' context is one of the vectors, and no bundled one. */
const loadContext = async (url: string) =>
  url === 'https://www.w3.org/ns/credentials/examples/v2'
    ? { '@context': { '@vocab': 'https://www.w3.org/ns/credentials/examples#' } }
    : loadBundledContext(url)

const { document } = vectors
const { publicKeyMultibase, secretKeyMultibase } = vectors.key
const signer = signingKeyFromSecret(fromBase58(secretKeyMultibase.slice(1))!.slice(2))

test('the key pair is one', () => {
  expect(signer.did).toBe(`did:key:${publicKeyMultibase}`)
})

test.each(vectors.proofs)('the published proof of $source verifies', async ({ proof }) => {
  const verdict = await verifyProof(document, dataIntegrityProof.parse(proof), publicKeyMultibase, loadContext)
  expect(verdict).toEqual({ ok: true })
})

test.each(vectors.digests)('what $cryptosuite signs has the published hashes', async ({ cryptosuite, proof, hex }) => {
  const { proofValue: _, ...options } = proof
  const bytes =
    cryptosuite === 'eddsa-jcs-2022' ? jcsDigest(document, options) : await rdfcDigest(document, options, loadContext)
  expect(Buffer.from(bytes).toString('hex')).toBe(hex)
})

test('signing makes the published proof', async () => {
  const { proof } = vectors.proofs[0]!
  const { verificationMethod, created } = dataIntegrityProof.required({ created: true }).parse(proof)
  const signed = await signDocument(document, Date.parse(created), {
    verificationMethod,
    sign: bytes => signer.sign(bytes),
  })
  expect(signed.proof).toEqual(proof)
})

test.each(vectors.proofs)('$source does not verify over another document, or with another key', async ({ proof }) => {
  const parsed = dataIntegrityProof.parse(proof)
  const altered = { ...document, name: 'Alumni credential' }
  expect(await verifyProof(altered, parsed, publicKeyMultibase, loadContext)).toMatchObject({ ok: false })
  const created = { ...parsed, created: '2023-02-24T23:36:39Z' }
  expect(await verifyProof(document, created, publicKeyMultibase, loadContext)).toMatchObject({ ok: false })
  const other = 'z6MktgKTsu1QhX6QPbyqG6geXdw6FQCZBPq7uQpieWbiQiG7'
  expect(await verifyProof(document, parsed, other, loadContext)).toMatchObject({ ok: false })
})
