import { checkPlugin, testApp } from '@sibyl/core/testing'
import { describe, expect, test } from 'vitest'
import { memory } from './memory.ts'

const env = { MEMORY_MCP_URL: 'embedded:' }
const boot = (options: Partial<Parameters<typeof testApp>[0]> = {}) => testApp({ plugins: [memory()], env, ...options })

describe('keeps the rules of all plugins:', () => {
  const samples = { text: 'Ada is allergic to nuts', query: 'nuts', id: 'f0123456789a' }
  for (const check of checkPlugin(() => memory(), { env, samples })) test(check.name, check.run)
})

test('the offline model remembers, recalls and forgets', async () => {
  await using oracle = await boot()
  const { text: kept } = await oracle.chat('Remember that Ada is allergic to nuts')
  expect(kept).toMatch(/^Remembered as f[0-9a-z]{11}: Ada is allergic to nuts$/)
  const id = /f[0-9a-z]{11}/.exec(kept)![0]
  const { text: found } = await oracle.chat('What do you know about allergies?')
  expect(found).toContain('Ada is allergic to nuts')
  expect((await oracle.chat('What do you remember about trains?')).text).toBe('Nothing that is remembered fits.')
  expect((await oracle.chat(`Forget ${id}`)).text).toBe(`Forgotten: ${id}.`)
  expect((await oracle.chat('What do you know about allergies?')).text).toBe('Nothing that is remembered fits.')
  expect((await oracle.chat(`Forget ${id}`)).text).toContain('There is no fact of that id among yours.')
})
