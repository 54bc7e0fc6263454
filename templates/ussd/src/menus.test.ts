import { bundledPlugins } from '@sibyl/bundle'
import { expectFlowFits, ussd } from '@sibyl/plugin-ussd'
import { sendUssd } from '@sibyl/plugin-ussd/testing'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { config } from './config.ts'
import { menus } from './menus.ts'

test('a phone without internet asks the oracle', async () => {
  const oracle = await testApp({
    config,
    plugins: [...bundledPlugins(), ussd({ flow: menus })],
    env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) },
  })
  onTestFinished(() => oracle.app.close())
  const welcome = await sendUssd(oracle.app)
  expect(welcome.lines).toEqual(['Welcome', '1. Ask a question', '2. Opening hours', '*. Exit'])
  const answer = await welcome.answer('1', 'What can you do?')
  expect(answer.text).toMatch(/offline model/)
  expect((await answer.answer('0')).lines).toEqual(welcome.lines)
})

test('every screen fits on every phone', () => {
  expectFlowFits(menus({ questions: { ask: async () => ({ kind: 'failed' }) } }))
})
