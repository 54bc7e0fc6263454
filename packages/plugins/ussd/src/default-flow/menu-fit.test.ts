import { expect, test } from 'vitest'
import { lintFlow } from '../flow/lint-flow.ts'
import { type FlowFixtureOptions, openFlowFixture } from './flow-fixture.test.helper.ts'

const oracles: readonly (readonly [string, FlowFixtureOptions])[] = [
  ['alone', {}],
  ['with what other plugins add', { offers: ['sms', 'claims', 'user-preferences'] }],
  ['of a long name and price', { config: { name: 'Oracle '.repeat(14), price: '9'.repeat(100) } }],
  ['in other letters', { config: { name: 'Оракул для фермеров', description: 'Ответы на вопросы. '.repeat(20) } }],
  ['of a long contact', { flow: { contact: 'c'.repeat(60) } }],
]

test.each(oracles)(
  'the default flow of an oracle %s fits every phone, also with limits of 160 and 70',
  async (_, options) => {
    await using fixture = await openFlowFixture(options)
    expect(lintFlow(fixture.flow)).toEqual([])
  },
)
