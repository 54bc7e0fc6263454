// An oracle on the database of DATABASE_URL that has one task run now and comes no further than TEST_STOP says: the model's
// first word ('model'), after a tool that changes something ('tool'), or the notice ('notice'). Says the DID then, and stays.
import { definePlugin, defineTool, provide } from '@sibyl/core'
import { scriptedModel, testApp } from '@sibyl/core/testing'
import { smsNotices } from '@sibyl/protocol'
import { z } from 'zod'
import { tasks } from '../tasks.ts'

const { DATABASE_URL = 'memory:', TEST_STOP = 'model' } = process.env
const forever = new Promise<never>(() => {})
const stopped = Promise.withResolvers<void>()
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
      provide(smsNotices, { addressOf: async () => ({ to: '+260971234567', shown: '+26097•••4567' }), send: stop }),
    ],
  }),
})
const hanging = () => ({ wait: stop() })
const model = scriptedModel(
  TEST_STOP === 'notice' ? ['It is done.'] : TEST_STOP === 'tool' ? [{ tool: 'pay', input: {} }, hanging] : [hanging],
)
const oracle = await testApp({ plugins: [tasks(), bank], model, env: { DATABASE_URL } })
const task = { what: 'Do it', when: { inMinutes: 60 }, deliver: { sms: TEST_STOP === 'notice' } }
const { id } = await (await oracle.actor.request('/tasks', { json: task })).json()
await oracle.actor.request(`/tasks/${id}/runs`, { method: 'POST' })
await stopped.promise
console.log(JSON.stringify({ did: oracle.actor.did, id }))
setInterval(() => {}, 1_000)
