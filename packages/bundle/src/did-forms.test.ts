import { expect, test } from 'vitest'
import { temporaryFolder } from './all-plugins.test.support.ts'
import { didViolations, didForms as forms, spelledDid as party, spelledOracle } from './party-forms.test.support.ts'

const officeKey = 'an-office-key-of-the-test-01'

const oracle = async (url?: string) => {
  const made = await spelledOracle(temporaryFolder(), url, { ENTITIES_API_KEYS: `office:${officeKey}:read+write` })
  const office = (path: string, json?: object) =>
    made.app.request(path, {
      headers: { authorization: `Bearer ${officeKey}`, 'content-type': 'application/json' },
      ...(json && { method: 'POST', body: JSON.stringify(json) }),
    })
  return { ...made, office }
}

test('no form of the oracle’s DID gives a delegated operator the rights of the oracle', async () => {
  const made = await oracle()
  expect(made.app.identity.publicDid).toBe(party)
  expect(await didViolations(made)).toEqual([])
  await made.app.close()
})

test.each(['HTTP://FARM.example.:4810/', 'http://farm.example:4810//'])('PUBLIC_URL=%s is one address', async url => {
  const { app } = await oracle(url)
  expect(app.identity.publicDid).toBe(party)
  const { issuer } = await (await app.request('/.well-known/oauth-authorization-server')).json()
  expect(issuer).toBe('http://farm.example:4810')
  await app.close()
})

test('each form of a user’s DID finds the same keys, sign-ins and tasks', async () => {
  const { app, operator } = await oracle()
  const did = 'did:web:user.example%3A4810:ada'
  expect((await operator.request('/api-keys?as=operator', { json: { name: 'ada', did } })).status).toBe(201)
  for (const form of ['did:web:USER.example:4810:ada', 'did:web:user.example.%3a4810:ada', did]) {
    const query = `as=operator&did=${encodeURIComponent(form)}`
    const { keys } = await (await operator.request(`/api-keys?${query}`)).json()
    expect([form, keys.map((key: { did: string }) => key.did)]).toEqual([form, [did]])
    for (const path of ['/oauth/sign-ins', '/tasks/all']) {
      expect([path, form, (await operator.request(`${path}?${query}`)).status]).toEqual([path, form, 200])
    }
  }
  for (const path of ['/api-keys', '/oauth/sign-ins', '/tasks/all']) {
    expect([path, (await operator.request(`${path}?as=operator&did=ada`)).status]).toEqual([path, 400])
  }
  await app.close()
})

test('an oracle whose path looks like a port keeps its DID, and no one else gets it', async () => {
  const { app, operator, office } = await oracle('http://farm.example/42')
  const { publicDid } = app.identity
  expect(publicDid).toBe('did:web:farm.example:42')
  for (const did of [publicDid, 'did:web:farm.example%3A42']) {
    for (const [path, json] of [
      ['/api-keys?as=operator', { name: 'x', did }],
      ['/oauth/codes', { did, scopes: ['chat/send'] }],
    ] as const) {
      const { status } = await operator.request(path, { json })
      expect([path, did, status]).toEqual([path, did, did === publicDid ? 400 : 403])
    }
  }
  const created = await (await office('/v1/entities', { type: 'Stove' })).json()
  expect(created.controller).toBe(publicDid)
  await app.close()
})

test('each form of an entity, a controller and a person in bodies, queries and paths is the same party', async () => {
  const { app, office } = await oracle()
  const made = await office('/v1/entities', { type: 'Stove', controller: party })
  expect(made.status).toBe(201)
  const { did } = await made.json()
  for (const form of forms) {
    const created = await office('/v1/entities', { type: 'Stove', controller: form })
    expect([form, (await created.json()).controller]).toEqual([form, party])
    const entity = did.replace(party, form)
    const read = await office(`/v1/entities/${encodeURIComponent(entity)}`)
    expect([entity, (await read.json()).did]).toEqual([entity, did])
    const list = await office(`/v1/entities?limit=1&controller=${encodeURIComponent(form)}`)
    expect([form, (await list.json()).entities?.length]).toEqual([form, 1])
  }
  await app.close()
})
