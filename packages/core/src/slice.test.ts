import {
  createMnemonic,
  createSigningKey,
  mintInvocation,
  parseMnemonic,
  signingKeyFromMnemonic,
} from '@sibyl/identity'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createOracleApp } from './create-oracle-app.ts'
import { definePlugin } from './plugins/oracle-plugin.ts'
import { defineTool } from './plugins/tool.ts'
import { scriptedModel } from './testing/scripted-model.ts'

const plugin = definePlugin({
  name: 'weather',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'W', summary: 'Weather.', whenToUse: ['weather'] },
  setup: () => ({
    tools: {
      get_weather: defineTool({
        description: 'w',
        input: z.object({ city: z.string() }),
        effect: 'read',
        execute: async ({ city }) => ({ city, temp: 3 }),
      }),
    },
  }),
})

test('slice', async () => {
  const mnemonic = createMnemonic(12).reveal()
  const parsed = parseMnemonic(mnemonic)
  if (!parsed.ok) throw new Error()
  const oracle = await signingKeyFromMnemonic(parsed.mnemonic)
  const model = scriptedModel([
    { tool: 'list_capabilities', input: {} },
    { tool: 'load_capability', input: { names: ['weather', 'wether'] } },
    { tool: 'get_weather', input: { city: 'Berlin' } },
    'It is 3 degrees',
  ])
  const app = await createOracleApp({
    plugins: [plugin],
    env: { DATABASE_URL: 'memory:', ORACLE_MNEMONIC: mnemonic },
    model,
  })
  const key = createSigningKey()
  const token = () => mintInvocation({ key, audience: oracle.did, resource: `oracle:${oracle.did}`, abilities: ['*'] })
  const headers = async () => ({ authorization: `Bearer ${await token()}`, 'content-type': 'application/json' })
  const reply = await app.request('/chat', {
    method: 'POST',
    headers: await headers(),
    body: JSON.stringify({ id: 's1', message: 'hello' }),
  })
  console.log(reply.status, await reply.text())
  console.log(JSON.stringify(await (await app.request('/sessions/s1', { headers: await headers() })).json(), null, 1))
  expect((await app.request('/sessions/s1')).status).toBe(401)
  await app.close()
})
