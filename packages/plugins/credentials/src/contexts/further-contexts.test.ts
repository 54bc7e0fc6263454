import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBase58 } from '@sibyl/plugin'
import { afterAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../definitions/json-object.ts'
import { rdfcDigest } from '../proofs/rdfc-digest.ts'
import { openFixture } from '../testing/credentials-fixture.test.helper.ts'
import { foreignIssuer } from '../testing/foreign-issuer.test.helper.ts'
import { credentialsEnv } from './credentials-env.ts'
import { credentialsContext, knownContexts } from './known-contexts.ts'

const folder = mkdtempSync(join(tmpdir(), 'sibyl-contexts-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const listed = 'https://stoves.example/context/v1'
const definition = { '@context': { level: 'https://stoves.example/terms#level', Certificate: 'urn:certificate' } }
const issuer = foreignIssuer()
const jcs = () => issuer.issue({ '@context': [credentialsContext, listed] })
const rdfc = async (): Promise<JsonObject> => {
  const { proof: _, ...document } = await jcs()
  const options: JsonObject = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-rdfc-2022',
    created: '2026-01-01T00:00:00Z',
    verificationMethod: issuer.verificationMethod,
    proofPurpose: 'assertionMethod',
  }
  const digest = await rdfcDigest(document, options, knownContexts(new Map([[listed, definition]])).load)
  return { ...document, proof: { ...options, proofValue: `z${toBase58(await issuer.key.sign(digest))}` } }
}

describe('a context beyond the bundled ones', () => {
  test('is not known unless it is listed', async () => {
    await using fixture = await openFixture()
    expect(Object.keys((await fixture.verify(await jcs())).faults)).toEqual(['context'])
  })

  test('listed by its URL is taken with eddsa-jcs-2022', async () => {
    await using fixture = await openFixture({ env: { CREDENTIALS_CONTEXTS: ` ${listed}, https://other.example/v1 ` } })
    expect(await fixture.verify(await jcs())).toEqual({ verified: true, faults: {} })
    expect((await fixture.verify(await rdfc())).faults.signature).toMatch(/without a file/)
  })

  test('listed with its file is taken with both cryptosuites', async () => {
    const file = fileOf('stoves.json', JSON.stringify(definition))
    await using fixture = await openFixture({ env: { CREDENTIALS_CONTEXTS: `${listed}=${file}` } })
    expect(await fixture.verify(await jcs())).toEqual({ verified: true, faults: {} })
    expect(await fixture.verify(await rdfc())).toEqual({ verified: true, faults: {} })
  })

  test.each([
    ['stoves', /Write a URL/],
    [`${listed}=${join(folder, 'missing.json')}`, /cannot be read/],
    [`${listed}=${fileOf('text.json', 'text')}`, /cannot be read/],
    [`${listed}=${fileOf('empty.json', '{}')}`, /no member @context/],
  ])('an invalid list is rejected at the start: %s', (text, why) => {
    const parsed = credentialsEnv.safeParse({ CREDENTIALS_CONTEXTS: text })
    expect(parsed.error?.issues[0]?.message).toMatch(why)
  })
})

test('a request has its credential as it is, as `credential` or as `verifiableCredential`, and once', async () => {
  await using fixture = await openFixture()
  const credential = await issuer.issue()
  const good = { verified: true, faults: {} }
  expect(await fixture.verify(credential)).toEqual(good)
  expect(await fixture.verify({ credential })).toEqual(good)
  expect(await fixture.verify({ verifiableCredential: credential, options: {} })).toEqual(good)
  const both = await fixture.verify({ credential, verifiableCredential: credential })
  expect(both.faults.structure).toMatch(/both/)
  expect((await fixture.verify({ verifiableCredential: [credential] })).faults.structure).toMatch(/not a JSON object/)
})
