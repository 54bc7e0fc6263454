import { samplePlugin } from '@sibyl/core/testing'
import { fakeClock } from '@sibyl/storage/testing'
import { testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'

const operatorToken = 'operator-token-of-the-tests-01'
const operator = { headers: { authorization: `Bearer ${operatorToken}` } }

/** Creates a plugin with names of people. */
const register = (name: string, chosenBy: 'operator' | 'person', names: ReadonlyMap<string, string>) =>
  samplePlugin(name, {
    setup: () => ({
      personalRecords: {
        export: async () => undefined,
        erase: async () => {},
        names: {
          chosenBy,
          of: async dids => new Map([...names].filter(([did]) => dids.includes(did))),
          async *all() {
            for (const [did, name] of names) yield { did, name }
          },
        },
      },
    }),
  })

/** Creates a channel whose people have an address. */
const pigeons = (addresses: ReadonlyMap<string, string>) =>
  samplePlugin('pigeons', {
    setup: () => ({
      personalRecords: {
        export: async () => undefined,
        erase: async () => {},
        channels: {
          of: async dids =>
            new Map(dids.flatMap(did => (addresses.has(did) ? [[did, [`${addresses.get(did)?.[0]}•••`]]] : []))),
          find: async address => [...addresses].flatMap(([did, known]) => (known === address ? [did] : [])),
        },
      },
    }),
  })

const broken = samplePlugin('broken', {
  setup: () => ({
    personalRecords: {
      export: async () => undefined,
      erase: async () => {},
      channels: {
        of: () => Promise.reject(new Error('down')),
        find: () => Promise.reject(new Error('down')),
      },
    },
  }),
})

const open = async () => {
  const addresses = new Map<string, string>()
  const clock = fakeClock(Date.parse('2026-11-23T10:00:00Z'))
  const oracle = await testApp({
    plugins: [pigeons(addresses), broken],
    clock,
    env: { ORACLE_OPERATOR_TOKEN: operatorToken, TOKEN_BUDGET_DID_PER_DAY: '5000' },
  })
  const read = async (path: string) => (await oracle.app.request(path, operator)).json()
  return { ...oracle, addresses, clock, read, [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose]() }
}

test('the operator lists people and their channels, without contents of their data', async () => {
  await using oracle = await open()
  const { app, actor, chat, clock, read, addresses } = oracle
  const other = testActor(app, () => clock.now())
  await chat('a confidential question', { session: 's1' })
  clock.jump(60_000)
  await other.request('/chat', { json: { id: 's2', message: 'hello' } }).then(answer => answer.text())
  addresses.set(actor.did, 'roof of the mill')
  const list = await read('/operator/people')
  expect(list).toEqual({
    people: [
      expect.objectContaining({ did: other.did, sessions: 1, channels: [] }),
      {
        did: actor.did,
        firstActivityAt: '2026-11-23T10:00:00.000Z',
        lastActivityAt: '2026-11-23T10:00:00.000Z',
        sessions: 1,
        tokensToday: expect.any(Number),
        channels: [{ plugin: 'pigeons', address: 'r•••' }],
        names: [],
      },
    ],
    tokenBudget: 5000,
  })
  expect(list.people[1].tokensToday).toBeGreaterThan(0)
  expect(JSON.stringify(list)).not.toContain('confidential')
  const first = await read('/operator/people?limit=1')
  expect(first.people).toEqual([list.people[0]])
  const second = await read(`/operator/people?limit=1&cursor=${first.next}`)
  expect(second.people).toEqual([list.people[1]])
})

test('a person is found by DID or by an address of a channel', async () => {
  await using oracle = await open()
  const { actor, chat, addresses } = oracle
  await chat('hello', { session: 's1' })
  addresses.set(actor.did, 'roof of the mill').set('did:key:z6MkQuiet', 'barn')
  const find = async (q: string) => {
    const body = JSON.stringify({ address: q })
    const headers = { ...operator.headers, 'content-type': 'application/json' }
    const response = await oracle.app.request('/operator/people/find', { method: 'POST', headers, body })
    const { people } = await response.json()
    return people.map(({ did }: { did: string }) => did)
  }
  expect(await find(actor.did)).toEqual([actor.did])
  expect(await find('roof of the mill')).toEqual([actor.did])
  expect(await find('barn')).toEqual(['did:key:z6MkQuiet'])
  expect(await find('did:key:z6MkUnknown')).toEqual([])
  expect(await find("' or 1=1 --")).toEqual([])
})

test('an address in a URL is rejected, and a search for a phone returns the DID of its user', async () => {
  await using oracle = await open()
  const { app } = oracle
  const phone = '+260971234567'
  for (const path of [`/operator/people?q=${encodeURIComponent(phone)}`, `/operator/people/${phone}`]) {
    const refused = await app.request(path, operator)
    const text = await refused.text()
    expect([refused.status, text]).toEqual([400, expect.stringContaining('POST /operator/people/find')])
    expect(text).not.toContain('260971234567')
  }
  const find = (address: string, authorization = operator.headers.authorization) =>
    app.request('/operator/people/find', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ address }),
    })
  const { did, people } = await (await find('00260 97 123-4567')).json()
  expect([did, people]).toEqual([app.identity.did && expect.stringMatching(/^did:key:/), []])
  expect((await (await find(phone)).json()).did).toBe(did)
  expect(await (await find('roof of the mill')).json()).not.toHaveProperty('did')
})

describe('names', () => {
  const openNamed = async () => {
    const chosen = new Map<string, string>()
    const given = new Map<string, string>()
    const oracle = await testApp({
      plugins: [register('chosen', 'person', chosen), register('given', 'operator', given), broken],
      env: { ORACLE_OPERATOR_TOKEN: operatorToken, ORACLE_API_KEYS: `till:${'k'.repeat(32)}` },
    })
    const ask = async (path: string, body?: object, authorization = operator.headers.authorization) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const init = body && { method: 'POST', body: JSON.stringify(body) }
      const response = await oracle.app.request(path, { headers, ...init })
      return { status: response.status, body: await response.json() }
    }
    const find = async (address: string) => {
      const { people } = (await ask('/operator/people/find', { address })).body
      return people.map(({ did }: { did: string }) => did)
    }
    return { ...oracle, chosen, given, ask, find, [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose]() }
  }
  const [ada, ben, eve] = ['did:key:z6MkAda', 'did:key:z6MkBen', 'did:key:z6MkEve'] as const

  test('come before those that people chose if operators gave them, on one visible line', async () => {
    await using oracle = await openNamed()
    oracle.chosen
      .set(ada, 'Boss')
      .set(ben, `\u202e\u200b`)
      .set(eve, `Z\u0301\u202e\n${'x'.repeat(300)}`)
    oracle.given.set(ada, 'Ada')
    const { body } = await oracle.ask('/operator/people/names', { dids: [eve, ada, ben, 'did:key:z6MkUnknown'] })
    expect(body.people).toEqual([
      { did: eve, names: [{ name: expect.stringMatching(/^Z\u0301 x{96}…$/), chosenBy: 'person' }] },
      {
        did: ada,
        names: [
          { name: 'Ada', chosenBy: 'operator' },
          { name: 'Boss', chosenBy: 'person' },
        ],
      },
    ])
    expect((await oracle.ask(`/operator/people/${ada}`)).body.names).toEqual(body.people[1].names)
  })

  test('are found by the beginnings of their words, whatever case and marks', async () => {
    await using oracle = await openNamed()
    oracle.chosen.set(ada, 'Ada Öberg').set(ben, 'Benjamin')
    oracle.given.set(ada, 'A. Oberg')
    expect(await oracle.find('oberg ADA')).toEqual([ada])
    expect(await oracle.find('ben')).toEqual([ben])
    expect([await oracle.find('%'), await oracle.find('amin'), await oracle.find('+260971234567')]).toEqual([
      [],
      [],
      [],
    ])
    for (let count = 0; count < 60; count += 1) oracle.chosen.set(`did:key:z6MkMany${count}`, `Mutale ${count}`)
    const many = (await oracle.ask('/operator/people/find', { address: 'mutale' })).body
    expect([many.people.length, many.more]).toEqual([50, true])
  })

  test('include those of API keys that have a DID of their own', async () => {
    await using oracle = await openNamed()
    const made = async (body: object) => (await oracle.ask('/api-keys', { scopes: ['chat/*'], ...body })).body.did
    const clinic = await made({ name: 'Clinic desk' })
    await made({ name: 'laptop', did: ada })
    await oracle.actor.request('/api-keys', { json: { name: 'clinic script', scopes: ['session/read'] } })
    expect(await oracle.find('clinic')).toEqual([clinic])
    const till = (await oracle.find('till'))[0]
    const { people } = (await oracle.ask('/operator/people/names', { dids: [clinic, ada, till, oracle.actor.did] }))
      .body
    expect(people).toEqual([
      { did: clinic, names: [{ name: 'Clinic desk', chosenBy: 'operator' }] },
      { did: till, names: [{ name: 'till', chosenBy: 'operator' }] },
    ])
  })

  test('are read by operators alone, at most 100 at a time', async () => {
    await using oracle = await openNamed()
    const dids = Array.from({ length: 101 }, (_, index) => `did:key:z6Mk${index}`)
    expect((await oracle.ask('/operator/people/names', { dids })).status).toBe(400)
    expect((await oracle.ask('/operator/people/names', { dids: ['+260971234567'] })).status).toBe(400)
    const json = { dids: [ada] }
    expect([401, 403]).toContain((await oracle.actor.request('/operator/people/names', { json })).status)
  })
})

test('a search that is a POST needs operator/read alone', async () => {
  await using oracle = await testApp({
    plugins: [],
    env: { ORACLE_API_KEYS: `reader:${'r'.repeat(32)}:operator/read,writer:${'w'.repeat(32)}:operator/write` },
  })
  const find = async (key: string) => {
    const headers = { authorization: `Bearer ${key.repeat(32)}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ address: '+260971234567' })
    return (await oracle.app.request('/operator/people/find', { method: 'POST', headers, body })).status
  }
  expect([await find('r'), await find('w')]).toEqual([200, 403])
})

test('the operator reads the numbers of one person', async () => {
  await using oracle = await open()
  const { actor, chat, read } = oracle
  await chat('hello', { session: 's1' })
  await actor.request('/api-keys', { json: { name: 'script', scopes: ['session/read'] } })
  const person = await read(`/operator/people/${encodeURIComponent(actor.did)}`)
  expect(person).toEqual({
    did: actor.did,
    firstActivityAt: expect.any(String),
    lastActivityAt: expect.any(String),
    sessions: 1,
    tokensToday: person.tokens[0].tokens,
    tokens: [{ day: '2026-11-23', tokens: expect.any(Number) }],
    tokenBudget: 5000,
    channels: [],
    names: [],
    pendingApprovals: 0,
    apiKeys: 1,
    delegations: 0,
  })
  expect(await read('/operator/people/did:key:z6MkUnknown')).toMatchObject({ sessions: 0, apiKeys: 0, tokens: [] })
  await oracle.app.request(`/people/${encodeURIComponent(actor.did)}`, { ...operator, method: 'DELETE' })
  expect(await read('/operator/people')).toEqual({ people: [], tokenBudget: 5000 })
})

test('only the operator reads them', async () => {
  await using oracle = await open()
  for (const path of ['/operator/people', '/operator/people/did:key:x', '/operator/approvals', '/operator/access']) {
    expect((await oracle.app.request(path)).status).toBe(401)
    expect([401, 403]).toContain((await oracle.actor.request(path)).status)
  }
})

test('a cursor of another list is rejected', async () => {
  await using oracle = await open()
  const answer = await oracle.app.request('/operator/people?cursor=abc', operator)
  expect([answer.status, (await answer.json()).code]).toEqual([400, 'cursor_invalid'])
})

test('the operator sees the settings that give access, without secrets', async () => {
  const secret = 'k'.repeat(32)
  await using oracle = await testApp({
    plugins: [],
    env: {
      ORACLE_OPERATOR_TOKEN: operatorToken,
      ORACLE_CONTROLLERS: 'did:key:z6MkController',
      ORACLE_API_KEYS: `desk:${secret}:chat/*+operator/read`,
    },
  })
  const access = await (await oracle.app.request('/operator/access', operator)).json()
  expect(access).toEqual({
    access: 'open',
    operatorToken: true,
    controllers: ['did:key:z6MkController'],
    apiKeys: [{ name: 'desk', did: expect.stringMatching(/^did:key:/), scopes: ['chat/*', 'operator/read'] }],
  })
})
