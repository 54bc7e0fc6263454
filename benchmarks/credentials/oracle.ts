import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin } from '@sibyl/plugin'
import { credentials } from '@sibyl/plugin-credentials'
import { credentialIssuer, type ServiceOf } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'

const key = 'benchmark-key-0123456789'

/** An oracle that issues credentials, on a database of its own on this computer's disk. */
export interface CredentialsOracle extends AsyncDisposable {
  /** Issues a credential over the route; the signed document. */
  issue(): Promise<unknown>
  /** Has one signed by the service that other plugins use, without storing it. */
  prepare(): Promise<unknown>
  /** Whether the route says that a credential is good. */
  verify(credential: unknown): Promise<boolean>
  didDocument(): Promise<{ readonly id: string }>
}

/** Boots it. */
export const openCredentialsOracle = async (): Promise<CredentialsOracle> => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
  const issuer = Promise.withResolvers<ServiceOf<typeof credentialIssuer>>()
  const probe = definePlugin({
    name: 'probe',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Probe', summary: 'Asks for the issuer.', whenToUse: ['never'] },
    requires: ['credentials'],
    setup(host) {
      issuer.resolve(host.service(credentialIssuer))
      return {}
    },
  })
  const { app } = await testApp({
    plugins: [credentials(), probe],
    env: { DATABASE_URL: `file:${join(folder, 'oracle.db')}`, ENTITIES_API_KEYS: `bench:${key}` },
  })
  const { prepare } = await issuer.promise
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const subject = { id: 'did:web:stoves.example:7', fuel: 'pellets', meals: 32, saved: { co2: 1.25, wood: 3.5 } }
  const type = 'CleanCookingCredential'
  const body = JSON.stringify({ type, subject })
  let count = 0
  return {
    async issue() {
      const answer = await app.request('/credentials/issue', { method: 'POST', headers, body })
      if (answer.status !== 201) throw new Error(`Nothing was issued: ${await answer.text()}`)
      return ((await answer.json()) as { credential: unknown }).credential
    },
    prepare: () => prepare({ type, subject, idempotencyKey: `bench ${count++}`, issuedBy: 'did:web:bench.example' }),
    async verify(credential) {
      const answer = await app.request('/credentials/verify', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(credential),
      })
      return ((await answer.json()) as { verified?: boolean }).verified === true
    },
    didDocument: async () => (await app.request('/.well-known/did.json')).json() as Promise<{ id: string }>,
    async [Symbol.asyncDispose]() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
