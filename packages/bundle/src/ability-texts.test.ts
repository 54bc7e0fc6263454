import { expect, test } from 'vitest'
import { abilityTextViolations } from './ability-texts.test.support.ts'

test('the text of each ability names every route and tool that needs it; a new one has to be added with its words', async () => {
  expect(await abilityTextViolations()).toEqual([])
})
