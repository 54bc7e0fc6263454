import { expect, it } from 'vitest'
import type { DomainClass } from '../records/entity-members.ts'
import type { ProtocolDefinition } from '../records/protocol-definition.ts'
import { didOf, idOf } from './graph.test.helper.ts'
import { type NodeFacts, relationshipRules } from './relationship-rules.ts'

const node = (
  number: number,
  type: string,
  domainClass: DomainClass = 'Physical Twins',
  more: Partial<NodeFacts> = {},
): NodeFacts => ({ id: idOf(number), did: didOf(number), type, domainClass, status: 'active', ...more })

const protocol = didOf(90)

const nodes = {
  stove: node(1, 'CookStove', 'Physical Twins', { protocol: { did: protocol, version: 7 } }),
  oracle: node(2, 'OracleEntity', 'Oracle Twins'),
  judge: node(3, 'Judge', 'Oracle Twins'),
  organisation: node(4, 'Organisation', 'Cognitive Twins'),
  project: node(5, 'Project', 'Cognitive Twins'),
  retired: node(6, 'OracleEntity', 'Oracle Twins', { status: 'deactivated' }),
  fleet: node(7, 'Fleet', 'Twin Systems'),
}

const definition: ProtocolDefinition = {
  did: protocol,
  version: 1,
  properties: {},
  relationships: {
    verifier: 'OracleEntity',
    operator: 'organisationEntity',
    group: 'Twin Systems',
    replaces: protocol,
    friend: 'any',
    partOf: 'Fleet',
    constructor: 'Project',
  },
}

const targets = new Map(Object.values(nodes).map(one => [one.did, one]))

const check = (
  from: NodeFacts,
  relationships: Record<string, readonly NodeFacts[] | readonly string[]>,
  under?: ProtocolDefinition,
) =>
  relationshipRules
    .check(
      from,
      under,
      Object.fromEntries(
        Object.entries(relationships).map(([name, given]) => [
          name,
          given.map(one => (typeof one === 'string' ? one : one.did)),
        ]),
      ),
      targets,
    )
    .map(({ path, code }) => `${path} ${code}`)

const { stove, oracle, judge, organisation, project, retired, fleet } = nodes

it.each<[string, NodeFacts, Record<string, readonly NodeFacts[] | readonly string[]>, string[]]>([
  [
    'kinds of all forms',
    stove,
    {
      verifier: [oracle, judge],
      operator: [organisation],
      group: [fleet],
      replaces: [stove],
      friend: [project, stove],
      partOf: [fleet],
      constructor: [project],
    },
    [],
  ],
  [
    'other kinds',
    stove,
    {
      verifier: [organisation, oracle],
      operator: [project],
      group: [stove],
      replaces: [fleet],
      partOf: [project],
      constructor: [stove],
    },
    [
      '/relationships/verifier/0 wrong_kind',
      '/relationships/operator/0 wrong_kind',
      '/relationships/group/0 wrong_kind',
      '/relationships/replaces/0 wrong_kind',
      '/relationships/partOf/0 wrong_kind',
      '/relationships/constructor/0 wrong_kind',
    ],
  ],
  [
    'names that there are not',
    stove,
    { owner: [oracle], toString: [oracle], __proto: [oracle] },
    [
      '/relationships/owner unknown_relationship',
      '/relationships/toString unknown_relationship',
      '/relationships/__proto unknown_relationship',
    ],
  ],
  [
    'names that claims have',
    stove,
    { produces: ['urn:uuid:1'], verifies: [stove], becomes: [] },
    [
      '/relationships/produces reserved_relationship',
      '/relationships/verifies reserved_relationship',
      '/relationships/becomes reserved_relationship',
    ],
  ],
  [
    'targets that are not known, or out of use',
    stove,
    { verifier: ['did:web:x', 'urn:uuid:1', 'junk', retired.did] },
    [
      '/relationships/verifier/0 unknown_target',
      '/relationships/verifier/1 unknown_target',
      '/relationships/verifier/2 unknown_target',
      '/relationships/verifier/3 target_deactivated',
    ],
  ],
  [
    'the chain from elsewhere',
    stove,
    { implements: [project], generates: [stove], subDomainOf: [stove] },
    [
      '/relationships/implements wrong_kind',
      '/relationships/generates wrong_kind',
      '/relationships/subDomainOf/0 relationship_circle',
    ],
  ],
])('relationships under a protocol: %s', (_, from, relationships, violations) => {
  expect(check(from, relationships, definition)).toEqual(violations)
})

it.each<[string, NodeFacts, Record<string, readonly NodeFacts[]>, string[]]>([
  ['an organisation implements projects', organisation, { implements: [project] }, []],
  [
    'and nothing else',
    organisation,
    { implements: [stove, organisation] },
    ['/relationships/implements/0 wrong_kind', '/relationships/implements/1 relationship_circle'],
  ],
  ['a project generates assets', project, { generates: [stove], partOf: [fleet], subDomainOf: [organisation] }, []],
  ['and nothing else', project, { generates: [oracle] }, ['/relationships/generates/0 wrong_kind']],
  ['other names need a protocol', project, { verifier: [oracle] }, ['/relationships/verifier unknown_relationship']],
])('relationships without a protocol: %s', (_, from, relationships, violations) => {
  expect(check(from, relationships)).toEqual(violations)
})

it('says what to do, and does not read more than it takes', () => {
  const violations = relationshipRules.check(stove, undefined, { verifier: [oracle.did] }, targets)
  expect(violations[0]?.message).toBe('Needs a protocol. Available: implements, generates, subDomainOf, partOf.')
  const many = Array.from({ length: 1_001 }, () => oracle)
  expect(check(stove, { verifier: many }, definition)).toEqual(['/relationships too_many'])
  const names = ['implements', 'generates', 'subDomainOf', 'partOf', 'produces', 'verifier', 'constructor']
  expect(names.filter(relationshipRules.isAcyclic)).toEqual(['implements', 'generates', 'subDomainOf', 'partOf'])
})
