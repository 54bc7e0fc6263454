import type { propertyRules, ServiceOf } from '@sibyl/protocol'
import { describe, expect, test } from 'vitest'
import type { RubricCondition } from '../records/rubric-condition.ts'
import { parseClaimDefinition } from './claim-definition.ts'
import { judgeByRules, meets } from './judge-by-rules.ts'

/** Takes any rules as they are. */
const rules: ServiceOf<typeof propertyRules> = { parse: posted => ({ rules: posted as never }), check: () => [] }

const condition = (path: string, operator: RubricCondition['operator'], value?: RubricCondition['value']) =>
  ({ id: 'it', path, operator, reason: 'No.', ...(value === undefined ? {} : { value }) }) satisfies RubricCondition

describe('a condition is met', () => {
  const data = {
    hours: 3,
    fuel: 'wood',
    lit: false,
    tags: ['a', 'b'],
    site: { name: 'x/y', deep: [{ n: 1 }] },
    no: null,
  }
  test.each<[RubricCondition, boolean]>([
    [condition('/hours', 'equals', 3), true],
    [condition('/hours', 'equals', '3'), false],
    [condition('/fuel', 'not-equals', 'coal'), true],
    [condition('/fuel', 'not-equals', 'wood'), false],
    [condition('/hours', 'at-least', 3), true],
    [condition('/hours', 'more-than', 3), false],
    [condition('/hours', 'at-most', 3), true],
    [condition('/hours', 'less-than', 3), false],
    [condition('/fuel', 'at-least', 3), false],
    [condition('/fuel', 'one-of', ['coal', 'wood']), true],
    [condition('/fuel', 'one-of', ['coal']), false],
    [condition('/tags', 'contains', 'b'), true],
    [condition('/tags', 'contains', 'c'), false],
    [condition('/fuel', 'contains', 'oo'), true],
    [condition('/lit', 'exists'), true],
    [condition('/no', 'exists'), false],
    [condition('/no', 'exists', false), true],
    [condition('/site/name', 'equals', 'x/y'), true],
    [condition('/site/deep/0/n', 'equals', 1), true],
    [condition('/site/deep/00/n', 'equals', 1), false],
    [condition('/site/deep/length', 'equals', 1), false],
    [condition('/constructor', 'exists'), false],
    [condition('/toString', 'not-equals', 1), false],
    [condition('/missing', 'not-equals', 1), false],
    [condition('/missing', 'exists', false), true],
  ])('%j %s', (one, met) => {
    expect(meets(data, one)).toBe(met)
  })

  test('by a member whose name has the signs of a pointer', () => {
    expect(meets({ 'a/b~c': 1 }, condition('/a~1b~0c', 'equals', 1))).toBe(true)
  })
})

test('a claim that does not meet the rubric is rejected with each reason; without conditions the verdict is unsure', () => {
  const rubric = [
    { ...condition('/a', 'equals', 1), id: 'one', reason: 'a is not 1.' },
    { ...condition('/b', 'exists'), id: 'two', reason: 'b is missing.' },
  ]
  expect(judgeByRules({ a: 2 }, { rubric }, [])).toMatchObject({
    decision: 'reject',
    reasons: ['a is not 1.', 'b is missing.'],
  })
  expect(judgeByRules({ a: 1, b: 1 }, { rubric }, []).decision).toBe('approve')
  expect(judgeByRules({ a: 1 }, { rubric: [rubric[0]!] }, [rubric[1]!]).decision).toBe('reject')
  expect(judgeByRules({ a: 1 }, { rubric: [] }, []).decision).toBe('unsure')
})

describe('the claim of a protocol is read', () => {
  const properties = {
    hours: 'number',
    tags: { type: 'array', items: { type: 'string' } },
    site: { type: 'object', properties: { name: { type: 'string' } } },
    any: { type: 'object' },
    fuel: { type: 'string' },
  }
  const read = { ...properties, hours: { type: 'number' } }
  const violationsOf = (rubric: unknown) => {
    const parsed = parseClaimDefinition({ properties: read, rubric } as never, rules)
    return 'faults' in parsed ? parsed.faults.map(({ path, code }) => `${path} ${code}`) : []
  }

  test('with nothing in it, or as it is', () => {
    expect(parseClaimDefinition(undefined, rules)).toEqual({ definition: { rubric: [] } })
    expect(parseClaimDefinition({}, rules)).toEqual({ definition: { rubric: [] } })
    const rubric = [condition('/site/name', 'contains', 'x'), { ...condition('/any/deep/1', 'equals', true), id: 'b' }]
    expect(parseClaimDefinition({ properties: read, rubric }, rules)).toEqual({
      definition: { properties: read, rubric },
    })
  })

  test.each<[unknown, string[]]>([
    [[condition('/tags', 'contains', 'x'), condition('/tags', 'contains', 'x')], ['/claim/rubric/1/id id_taken']],
    [[condition('/tags', 'contains', 1)], ['/claim/rubric/0/value wrong_type']],
    [[condition('/tags', 'equals', 'x')], ['/claim/rubric/0/operator wrong_type']],
    [[condition('/tags/x', 'equals', 'x')], ['/claim/rubric/0/path unknown_property']],
    [[condition('/tags/0', 'equals', 'x')], []],
    [[condition('/fuel', 'more-than', 1)], ['/claim/rubric/0/operator wrong_type']],
    [[condition('/fuel', 'one-of', ['a', 1])], ['/claim/rubric/0/value wrong_type']],
    [[condition('/fuel', 'one-of', 'a')], ['/claim/rubric/0/value wrong_type']],
    [[condition('/fuel', 'equals', ['a'])], ['/claim/rubric/0/value wrong_type']],
    [[condition('/fuel', 'equals')], ['/claim/rubric/0/value missing_property']],
    [[condition('/fuel', 'exists', 'yes')], ['/claim/rubric/0/value wrong_type']],
    [[condition('/site/none', 'exists')], ['/claim/rubric/0/path unknown_property']],
    [[condition('/fuel/deep', 'exists')], ['/claim/rubric/0/path unknown_property']],
    [
      [{ ...condition('/fuel', 'exists'), extra: 1, reason: '' }],
      ['/claim/rubric/0/reason value_invalid', '/claim/rubric/0 unknown_member'],
    ],
    ['nothing', ['/claim/rubric wrong_type']],
  ])('with the problems of %j', (rubric, violations) => {
    expect(violationsOf(rubric)).toEqual(violations)
  })

  test.each([[null], ['claim'], [[]], [7]])('as %j is not an object', claim => {
    expect(parseClaimDefinition(claim as never, rules)).toMatchObject({
      faults: [{ path: '/claim', code: 'wrong_type' }],
    })
  })
})
