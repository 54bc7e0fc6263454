import { testApp } from '@sibyl/core/testing'
import { expect, test } from 'vitest'
import { bundledPlugins } from './bundled-plugins.ts'

/** What the plugins that are always there may add to each turn, in tokens: their tools and what they tell the model. */
const mostTokens = 2500

/** What switches on those that need something. */
const env = {
  PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
  MEMORY_MCP_URL: 'embedded:',
  FIRECRAWL_MCP_URL: 'embedded:',
  SANDBOX_MCP_URL: 'embedded:',
}

test('the plugins that are always there add little to each turn', async () => {
  await using oracle = await testApp({ plugins: bundledPlugins(), env })
  expect(oracle.app.plugins().filter(({ state }) => state === 'excluded')).toEqual([])
  const always = oracle.app.capabilities().filter(({ mode }) => mode === 'always')
  expect(always.map(({ name }) => name)).toContain('ussd')
  expect(always.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(mostTokens)
})
