import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundledPlugins } from '@sibyl/bundle'
import { testApp } from '@sibyl/core/testing'
import { config } from './config.ts'

test('the oracle boots and says what it can do', async context => {
  const oracle = await testApp({ config, plugins: [...bundledPlugins()] })
  context.after(() => oracle.app.close())
  const { text } = await oracle.chat('What can you do?')
  assert.match(text, /weather/i)
})
