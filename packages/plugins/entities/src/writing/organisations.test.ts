import { expect, test } from 'vitest'
import { ada, ben, bootEntities, keys } from './entity-routes.test.helper.ts'

type Oracle = Awaited<ReturnType<typeof bootEntities>>

const groupsOf = async (oracle: Oracle, did: string): Promise<readonly string[]> => {
  const query = new URLSearchParams({ from: did, relationship: 'subDomainOf', direction: 'in', depth: '1' })
  const { body } = await oracle.send('GET', `/v1/graph?${query}`)
  const edges = body.edges as readonly { readonly from: string }[]
  return edges.map(({ from }) => from)
}

const organisation = async (oracle: Oracle, groups?: readonly string[]) => {
  const more = groups ? { membershipGroups: groups } : {}
  const { body } = await oracle.create({ type: 'Organisation', properties: { name: 'Acme' }, ...more }, keys.ada)
  return { did: body.did as string, groups: await groupsOf(oracle, body.did) }
}

test('an organisation comes with its membership groups', async () => {
  await using oracle = await bootEntities()
  const acme = await organisation(oracle)
  expect(acme.groups).toHaveLength(1)
  const chain = await oracle.proof(acme.groups[0]!)
  expect(chain.links[0]).toMatchObject({
    by: ada,
    change: { type: 'MembershipGroup', properties: { name: 'Members' }, relationships: { subDomainOf: [acme.did] } },
  })
  expect((await organisation(oracle, ['Elders', 'Youth'])).groups).toHaveLength(2)
  const twice = await oracle.create({ type: 'Organisation', membershipGroups: ['Elders', 'Elders'] })
  expect(twice.body.issues).toMatchObject([{ path: '/membershipGroups/1', code: 'repeated_value' }])
  expect((await oracle.create({ type: 'Organisation', membershipGroups: [] })).status).toBe(400)
})

test.each(['Organization', 'Association', 'Company', 'Cooperative', 'Foundation', 'Institution', 'NGO'])(
  'an entity of type %s is an organisation, with its groups and their rules',
  async type => {
    await using oracle = await bootEntities()
    const { status, body } = await oracle.create({ type, membershipGroups: ['Elders'] }, keys.ada)
    expect([status, body.type, body.domainClass]).toEqual([201, type, 'Cognitive Twins'])
    const [group] = (await groupsOf(oracle, body.did)) as [string]
    expect((await oracle.deactivate(group, 1, keys.ada)).body).toMatchObject({ code: 'last_membership_group' })
    const relationships = { subDomainOf: body.did }
    expect((await oracle.create({ type: 'MembershipGroup', relationships }, keys.ben)).status).toBe(403)
    const project = (await oracle.create({ type: 'Project' }, keys.ada)).body.did
    expect((await oracle.relate(body.did, 'implements', [project], keys.ada)).status).toBe(200)
    expect((await oracle.deactivate(body.did, 2, keys.ada)).status).toBe(200)
    expect((await oracle.send('GET', `/v1/entities/${encodeURIComponent(group)}`)).body.status).toBe('deactivated')
  },
)

test('an organisation never loses its last active group, whichever way it is tried', async () => {
  await using oracle = await bootEntities()
  const acme = await organisation(oracle)
  const other = await organisation(oracle)
  const [group] = acme.groups as [string]
  const refused = { status: 409, code: 'last_membership_group' }
  expect((await oracle.deactivate(group, 1, keys.ada)).body).toMatchObject(refused)
  expect((await oracle.unrelate(group, 'subDomainOf', acme.did, keys.ada)).body).toMatchObject(refused)
  for (const subDomainOf of [null, other.did, []]) {
    expect((await oracle.patch(group, 1, { relationships: { subDomainOf } }, keys.ada)).body).toMatchObject(refused)
  }
  expect((await oracle.proof(group)).links).toHaveLength(1)
  const added = await oracle.create({ type: 'MembershipGroup', relationships: { subDomainOf: acme.did } }, keys.ada)
  expect(added.status).toBe(201)
  expect((await oracle.deactivate(group, 1, keys.ada)).status).toBe(200)
  expect((await oracle.deactivate(added.body.did, 1, keys.ada)).body).toMatchObject(refused)
})

test('two groups that are taken away at the same time do not both go', async () => {
  await using oracle = await bootEntities()
  for (let round = 0; round < 5; round++) {
    const acme = await organisation(oracle, ['Elders', 'Youth'])
    const [one, two] = acme.groups as [string, string]
    const outcomes = await Promise.all([
      oracle.deactivate(one, 1, keys.ada),
      oracle.unrelate(two, 'subDomainOf', acme.did, keys.ada),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409])
  }
})

test('only the controller adds groups to an organization', async () => {
  await using oracle = await bootEntities()
  const acme = await organisation(oracle)
  const relationships = { subDomainOf: acme.did }
  const refused = await oracle.create({ type: 'MembershipGroup', relationships }, keys.ben)
  expect(refused.body).toMatchObject({ status: 403, code: 'not_controller' })
  const loose = (await oracle.create({ type: 'MembershipGroup' }, keys.ben)).body.did
  expect((await oracle.relate(loose, 'subDomainOf', [acme.did], keys.ben)).status).toBe(403)
  expect((await oracle.patch(loose, 1, { relationships }, keys.ben)).status).toBe(403)
  expect(await groupsOf(oracle, acme.did)).toHaveLength(1)
})

test('an organisation that is taken out of use takes its groups with it', async () => {
  await using oracle = await bootEntities()
  const acme = await organisation(oracle, ['Elders', 'Youth'])
  const [group] = acme.groups as [string]
  expect((await oracle.patch(group, 1, { controller: ben }, keys.ada)).status).toBe(200)
  expect((await oracle.deactivate(acme.did, 1, keys.ada)).status).toBe(200)
  for (const did of acme.groups) {
    const { verified, links } = await oracle.proof(did)
    expect([verified, links.at(-1).kind, links.at(-1).by]).toEqual([true, 'deactivated', ada])
  }
})
