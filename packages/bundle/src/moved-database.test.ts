/** @module-tag long */
import { join } from 'node:path'
import { taskReport } from '@sibyl/core/records'
import { createMnemonic, createSigningKey, mintDelegation, mintInvocation, tokenHash } from '@sibyl/identity'
import { sharePostgres } from '@sibyl/storage/testing'
import { type TestApp, testActor, testApp } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { everythingOn, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'
import { startOracle } from './oracle-process.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const operator = { authorization: 'Bearer operator-token-of-the-tests-01', 'content-type': 'application/json' }

const ok = async (response: Response | Promise<Response>) => {
  const answer = await response
  const text = await answer.text()
  expect(answer.status, text).toBeLessThan(300)
  return text.startsWith('{') ? JSON.parse(text) : text
}

test.runIf(postgres !== undefined)(
  'an oracle is the same after its database moved to PostgreSQL and back',
  async () => {
    const folder = temporaryFolder()
    const key = createSigningKey()
    const env = everythingOn(folder, {
      DATABASE_URL: `file:${join(folder, 'oracle.db')}`,
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      ORACLE_OPERATOR_TOKEN: operator.authorization.slice('Bearer '.length),
      ORACLE_ACCESS: 'delegated',
      ORACLE_CONTROLLERS: key.did,
      CREDITS_DEFAULT_GRANT: '1000',
      PUBLIC_URL: 'http://oracle.example',
    })
    const boot = (url: string) => testApp({ plugins: bundledPlugins(), env: { ...env, DATABASE_URL: url } })
    const asOperator = ({ app }: TestApp, method: string, path: string, json?: unknown) =>
      app.request(path, { method, headers: operator, ...(json === undefined ? {} : { body: JSON.stringify(json) }) })

    const first = await boot(env.DATABASE_URL!)
    const ada = testActor(first.app, Date.now, key)
    await ok(ada.request('/chat', { json: { id: 's1', message: 'Good morning' } }))
    const stove = { type: 'CookStove', properties: { name: 'Blue stove', latitude: -1.3, longitude: 36.8 } }
    const twin = await ok(ada.request('/v1/entities', { json: stove }))
    await ok(ada.request('/v1/entities', { json: { type: 'CookStove', properties: { name: 'Red stove' } } }))
    const season = { title: 'Stoves', submitters: 'anyone', evaluation: 'person', confirm: true }
    const collection = await ok(ada.request('/v1/collections', { json: season }))
    const claim = { collection: collection.id, asset: twin.did, data: { weeks: 12 } }
    await ok(ada.request('/v1/claims', { json: claim }))
    const subject = { id: ada.did, note: 'owner' }
    const headers = { 'idempotency-key': 'one' }
    const issued = await ok(ada.request('/credentials/issue', { json: { type: 'NoteCredential', subject }, headers }))
    await ok(asOperator(first, 'POST', '/credits/grants', { did: ada.did, amount: '5', reason: 'For a test' }))

    const resource = `oracle:${first.app.identity.did}`
    const [revoked, audience] = [createSigningKey(), first.app.identity.did!]
    const capabilities = [{ resource, ability: '*' }]
    const delegation = await mintDelegation({ key, audience: revoked.did, capabilities })
    const call = async ({ app }: TestApp, token: string) => {
      const response = await app.request('/sessions', { headers: { authorization: `Bearer ${token}` } })
      return response.ok ? 'answered' : (await response.json()).code
    }
    const asRevoked = async (oracle: TestApp) =>
      call(oracle, await mintInvocation({ key: revoked, audience, resource, abilities: ['*'], proofs: [delegation] }))
    expect(await asRevoked(first)).toBe('answered')
    await ok(asOperator(first, 'PUT', `/revocations/${tokenHash(delegation)}`))
    expect(await asRevoked(first)).toBe('ucan_revoked')
    const spent = await ada.token()
    await ok(
      first.app.request('/chat', {
        method: 'POST',
        headers: { ...operator, authorization: `Bearer ${spent}` },
        body: '{"message":"Hi"}',
      }),
    )
    const bearer = (await ok(ada.request('/auth/token', { json: { scopes: ['session/read'] } }))).token
    await first.app.close()

    const move = async (from: string, to: string) => {
      const request = JSON.stringify({ task: 'move', to, leaveUnknown: false })
      const child = startOracle(folder, { ...env, DATABASE_URL: from, SIBYL_INSPECT: '3', SIBYL_TASK: request })
      const { inspection, stderr } = await child.ended
      const last = inspection.trim().split('\n').at(-1) ?? stderr
      const report = taskReport.parse(JSON.parse(last))
      expect(report).toMatchObject({ moved: { left: [], problems: [] } })
      return 'moved' in report ? report.moved.tables : []
    }
    const [remote, file] = [await postgres!.createDatabase(), `file:${join(folder, 'back.db')}`]
    const moved = await move(env.DATABASE_URL!, remote)
    expect(Object.fromEntries(moved.map(({ name, rows }) => [name, rows]))).toMatchObject({
      claims_claims: 1,
      core_messages: 4,
      core_revocations: 1,
      credentials_credentials: 1,
      credits_people: expect.any(Number),
      entities_entities: 2,
    })
    expect(await move(remote, file)).toEqual(moved)

    for (const url of [remote, file]) {
      const oracle = await boot(url)
      expect(oracle.app.identity.did).toBe(audience)
      expect(await asRevoked(oracle)).toBe('ucan_revoked')
      const again = { ...operator, authorization: `Bearer ${spent}` }
      const replayed = await oracle.app.request('/chat', { method: 'POST', headers: again, body: '{"message":"Hi"}' })
      expect(await replayed.json()).toMatchObject({ code: 'ucan_replayed' })
      expect(await call(oracle, bearer)).toBe('answered')
      const back = testActor(oracle.app, Date.now, key)
      expect((await ok(back.request('/sessions'))).sessions).toHaveLength(2)
      const path = `/v1/entities/${encodeURIComponent(twin.did)}`
      expect(await ok(back.request(`${path}/proof`))).toMatchObject({ verified: true })
      const { hits } = await ok(back.request('/v1/search?q=blue'))
      expect(hits).toMatchObject([{ did: twin.did }])
      expect((await ok(back.request('/v1/entities?type=CookStove'))).entities).toHaveLength(2)
      const verify = { method: 'POST', json: { credential: issued.credential } }
      expect(await ok(back.request('/credentials/verify', verify))).toMatchObject({ verified: true })
      expect((await ok(asOperator(oracle, 'GET', '/credits/accounts'))).totals.sum).toBe('0')
      await ok(back.request('/v1/entities', { json: { type: 'CookStove', properties: { name: 'Green stove' } } }))
      expect((await ok(back.request('/v1/search?q=green'))).hits).toHaveLength(1)
      await oracle.app.close()
    }
  },
)
