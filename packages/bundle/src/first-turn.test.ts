import { switchedOn, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { bundledPlugins } from './bundled-plugins.ts'

/** What the plugins that are always there may add to each turn, in tokens: their tools and what they tell the model. */
const maxTokens = 2500

test('the plugins that are always there add little to each turn, with all of them on', async () => {
  const plugins = bundledPlugins()
  await using oracle = await testApp({ plugins, env: switchedOn(plugins) })
  expect(oracle.app.plugins().filter(({ state }) => state === 'excluded')).toEqual([])
  const always = oracle.app
    .capabilities()
    .filter(({ mode }) => mode === 'always')
    .toSorted((one, other) => other.tokens - one.tokens)
  expect(always.map(({ name }) => name)).toContain('ussd')
  const table = always.map(({ name, tokens, tools }) => `${String(tokens).padStart(6)}  ${name}: ${tools.join(', ')}`)
  const sum = always.reduce((tokens, one) => tokens + one.tokens, 0)
  expect(sum, `tokens by plugin:\n${table.join('\n')}\n`).toBeLessThanOrEqual(maxTokens)
})
