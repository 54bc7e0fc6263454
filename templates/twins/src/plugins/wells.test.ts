import { bundledPlugins } from '@sibyl/bundle'
import { entities } from '@sibyl/plugin-entities'
import { entityRecord } from '@sibyl/plugin-entities/records'
import { checkPlugin, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { config } from '../config.ts'
import { wells } from './wells.ts'

for (const check of checkPlugin(wells, { with: [entities] })) test(check.name, check.run)

test('the agent registers wells, all under one protocol', async () => {
  const key = 'a-key-for-the-tests'
  const oracle = await testApp({
    config,
    plugins: [...bundledPlugins(), wells()],
    env: { ENTITIES_API_KEYS: `test:${key}` },
  })
  onTestFinished(() => oracle.app.close())
  const { text } = await oracle.chat('Add the well Kasisi North in Kasisi')
  await oracle.chat('Add the well Kasisi South in Kasisi')

  const reply = await oracle.app.request('/v1/entities?type=Well', { headers: { authorization: `Bearer ${key}` } })
  const { entities: found } = z.object({ entities: z.array(entityRecord) }).parse(await reply.json())
  const [south, north] = found
  expect(north?.properties).toEqual({ name: 'Kasisi North', village: 'Kasisi' })
  expect(north?.protocol).toBe(south?.protocol)
  expect(text).toContain(north?.did)
})
