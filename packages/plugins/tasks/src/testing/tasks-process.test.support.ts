// An oracle on the database of DATABASE_URL that has three tasks run, each of which comes no further than it is called: the
// `notice`, after a `tool` that changes something, or the first word of the `model`. Says the DID and their ids then, and stays.

import { definePlugin, defineTool, provide } from '@sibyl/plugin'
import { personNotices } from '@sibyl/protocol'
import { scriptedModel, testApp } from '@sibyl/testing'
import { z } from 'zod'
import { tasks } from '../tasks.ts'

const { DATABASE_URL = 'memory:' } = process.env
const forever = new Promise<never>(() => {})
let stopped = Promise.withResolvers<void>()
const stop = () => {
  stopped.resolve()
  return forever
}
const bank = definePlugin({
  name: 'sms',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Bank', summary: 'Pays and tells.', whenToUse: ['a test does'], load: 'always' },
  setup: () => ({
    tools: {
      pay: defineTool({
        description: 'Pays.',
        effect: 'write',
        input: z.object({}),
        execute: async () => ({ paid: 1 }),
      }),
    },
    services: [
      provide(personNotices.sms, {
        addressOf: async () => ({ to: '+260971234567', shown: '+26097•••4567' }),
        send: stop,
      }),
    ],
  }),
})
const hanging = () => ({ wait: stop() })
const model = scriptedModel(['It is done.', { tool: 'pay', input: {} }, hanging, hanging])
const oracle = await testApp({ plugins: [tasks(), bank], model, env: { DATABASE_URL } })
const ids: Record<string, string> = {}
for (const what of ['notice', 'tool', 'model']) {
  const task = { what, when: { inMinutes: 60 }, deliver: { sms: what === 'notice' } }
  const { id } = await (await oracle.actor.request('/tasks', { json: task })).json()
  ids[what] = id
  stopped = Promise.withResolvers()
  await oracle.actor.request(`/tasks/${id}/runs`, { method: 'POST' })
  await stopped.promise
}
console.log(JSON.stringify({ did: oracle.actor.did, ids }))
setInterval(() => {}, 1_000)
