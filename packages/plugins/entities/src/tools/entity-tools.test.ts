import { readStream, scriptedModel, type TestActor, type TestApp, testActor, testApp } from '@sibyl/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entities } from '../entities.ts'

/** Says something as somebody, and answers what is asked for approval. */
const converse = async (actor: TestActor, text: string, session: string, decision = 'once') => {
  const first = await readStream(await actor.request('/chat', { json: { id: session, message: text } }))
  const calls = first.events.flatMap(event =>
    event.type === 'tool-input-available' ? [{ tool: event.toolName, input: event.input }] : [],
  )
  const question = first.events.find(event => event.type === 'tool-approval-request')
  if (question === undefined) return { calls, asked: undefined, text: first.text }
  const path = `/chat/${session}/approvals/${question.approvalId}`
  const second = await readStream(await actor.request(path, { json: { decision } }))
  return { calls, asked: question.reason, text: second.text }
}

const didIn = (text: string): string => /did:web:\S+:entities:[0-9a-z]{26}/.exec(text)?.[0] ?? ''

describe('with the offline model', () => {
  let oracle: TestApp
  let sessions = 0
  const send = (text: string, decision?: string) => converse(oracle.actor, text, `s${++sessions}`, decision)
  let stove: string
  let project: string
  beforeAll(async () => {
    oracle = await testApp({ plugins: [entities()] })
    stove = didIn((await send('Register a cook stove called ACE One in Kisumu')).text)
    project = didIn((await send('Register a project called Smoke-free Schools')).text)
    await send(`Relate ${project} to ${stove} by generates`)
  })
  afterAll(() => oracle.app.close())

  test('a clean cooking device is registered once the person agrees, under their control', async () => {
    const { calls, asked, text } = await send('register a clean cooking device')
    expect(calls).toEqual([{ tool: 'create_entity', input: { type: 'clean cooking device', properties: {} } }])
    expect(asked).toBe(
      'Register a new clean cooking device. You will be its controller.\n\ntype: "clean cooking device"\nproperties: {}',
    )
    expect(text).toBe(
      `The CleanCookingDevice is registered. Its DID is ${didIn(text)}. It is controlled by ${oracle.actor.did}.`,
    )
    expect((await send(`Who controls ${didIn(text)}?`)).text).toBe(`It is controlled by ${oracle.actor.did}.`)
  })

  test('without a yes nothing is registered', async () => {
    const { text } = await send('register a solar lantern called Tembo', 'deny')
    expect(text).toContain('it was not done')
    expect((await send('find Tembo')).text).toBe('Entities: none')
  })

  test('missing and invalid input is requested, and the reply is used', async () => {
    const reply = (text: string) => converse(oracle.actor, text, 'asked')
    expect((await reply('Register')).text).toBe('Which type?')
    expect((await reply('3 stoves')).text).toContain('“3 stoves” is not valid')
    expect(await reply('biogas digester')).toMatchObject({
      asked: expect.stringMatching(/^Register a new biogas digester\. You will be its controller\.\n/),
      text: expect.stringContaining('The BiogasDigester is registered.'),
    })
  })

  test('a registered entity is found, shown and followed', async () => {
    expect((await send('Find cook stoves in Kisumu')).text).toBe(
      `Entities:\n- name ACE One, type CookStove, DID ${stove}, says location: Kisumu`,
    )
    const shown = (await send(`show entity ${stove}`)).text
    expect(shown).toContain('Properties: name ACE One, location Kisumu')
    expect((await send('Show entity ACE One')).text).toBe(shown)
    expect((await send(`What is related to ${stove}?`)).text).toBe(
      `Related:\n- from ${project}, relationship generates, type Project, name Smoke-free Schools`,
    )
    expect((await send('What is Smoke-free Schools related to?')).text).toContain(`to ${stove}, type CookStove`)
  })

  test('errors include the remedy', async () => {
    expect((await send('show entity Nowhere')).text).toContain(
      'No entity has the name “Nowhere”. Find it with search_entities',
    )
    expect((await send(`register a stove under ${stove}`)).text).toContain('No active protocol with that DID')
    expect((await send(`relate ${stove} to ${project} by generates`)).text).toContain('That did not work. ')
    expect((await send(`relate ${stove} to Nowhere by partOf`)).text).toContain('No entity has the name “Nowhere”.')
  })

  test('a user cannot relate an entity of another controller', async () => {
    const stranger = testActor(oracle.app)
    const { text } = await converse(stranger, `relate ${project} to ${stove} by generates`, 's1')
    expect(text).toBe(
      `That did not work. Only the controller of ${project} may do that. Act as that controller, or request a transfer.`,
    )
  })

  test.each([
    ['please register a clean cooking device for me', 'create_entity', { type: 'clean cooking device' }],
    ['I want to register an ethanol stove', 'create_entity', { type: 'ethanol stove' }],
    ['Can you register a household called "Otieno"?', 'create_entity', { properties: { name: 'Otieno' } }],
    ['register clean cooking device', 'create_entity', { type: 'clean cooking device' }],
    ['Register Ecoa as an electric cooker', 'create_entity', { type: 'electric cooker', properties: { name: 'Ecoa' } }],
    ['find stoves', 'search_entities', { query: 'stoves' }],
    ['Search for pellet gasifiers', 'search_entities', { query: 'pellet gasifiers' }],
    ['is there a stove in Siaya?', 'search_entities', { query: 'stove in Siaya' }],
    ['do you have any distributors in Nakuru', 'search_entities', { query: 'distributors in Nakuru' }],
    ['which stoves are registered in Kisumu?', 'search_entities', { query: 'stoves Kisumu' }],
    ['show me all projects', 'search_entities', { query: 'projects' }],
    ['Which entities are there?', 'search_entities', {}],
    ['list entities of type cook stove', 'search_entities', { type: 'cook stove' }],
    ['who is the controller of ACE One', 'get_entity', { did: 'ACE One' }],
    ["what's connected to ACE One?", 'related_entities', { did: 'ACE One' }],
    ['connect ACE One with Smoke-free Schools by partOf', 'relate_entities', { relationship: 'partOf' }],
  ])('“%s” is %s', async (text, tool, input) => {
    const { calls } = await send(text, 'deny')
    expect(calls).toEqual([{ tool, input: expect.objectContaining(input) }])
  })
})

test('output for the model is short, however large entities are', async () => {
  const key = 'a-key-that-may-do-all-01'
  const model = scriptedModel([
    { tool: 'search_entities', input: { query: 'stove', limit: 20 } },
    { tool: 'get_entity', input: { did: 'Hub of stoves' } },
    { tool: 'related_entities', input: { did: 'Hub of stoves', depth: 4 } },
    'Done.',
  ])
  await using oracle = await testApp({ plugins: [entities()], model, env: { ENTITIES_API_KEYS: `all:${key}` } })
  const create = async (body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await oracle.app.request('/v1/entities', { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()).did
  }
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`property${at}`, 'stove '.repeat(40)]))
  const aliases = Array.from({ length: 20 }, (_, at) => `alias ${at} ${'x'.repeat(400)}`)
  const properties = { name: 'Hub of stoves', ...many, nested: { list: Array.from({ length: 500 }, () => 'stove') } }
  const hub = await create({ type: 'Hub', properties, alsoKnownAs: aliases })
  const note = 'a stove '.repeat(200)
  const others = Array.from({ length: 40 }, (_, at) => ({
    type: 'CookStove',
    properties: { name: `Stove ${at} ${'y'.repeat(300)}`, note },
    relationships: { partOf: [hub] },
  }))
  await Promise.all(others.map(create))

  const { events } = await oracle.chat('Tell me about the hub')
  const outputs = events.flatMap(event => (event.type === 'tool-output-available' ? [event.output] : []))
  expect(outputs).toMatchObject([
    { entities: expect.any(Array), more: expect.any(Number) },
    { did: hub, properties: { name: 'Hub of stoves' }, left_out: expect.arrayContaining(['property14', '…']) },
    { related: expect.any(Array), more: expect.any(Number) },
  ])
  for (const output of outputs) expect(JSON.stringify(output).length).toBeLessThanOrEqual(2_000)
})
