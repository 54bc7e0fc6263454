import { bundledPlugins } from '@sibyl/bundle'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { config } from './config.ts'

test('the oracle boots and says what it can do', async () => {
  const oracle = await testApp({ config, plugins: [...bundledPlugins()] })
  onTestFinished(() => oracle.app.close())
  const { text } = await oracle.chat('What can you do?')
  expect(text).toMatch(/weather/i)
})
