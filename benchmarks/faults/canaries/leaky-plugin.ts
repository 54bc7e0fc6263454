import { definePlugin, defineTool, type Host, type OraclePlugin, route, type Tool, ToolFailure } from '@sibyl/plugin'
import { z } from 'zod'
import { reportEverything } from './report-everything.ts'
import { secretErrors } from './secret-errors.ts'

const env = z.object({
  PIN_ENCRYPTION_KEY: z.string().min(16).meta({ description: 'A key.', secret: true }),
  LEAKY_SECRET: z.string().min(16).meta({ description: 'A secret.', secret: true }),
  LEAKY_URL: z.url().optional().meta({ description: 'A URL with a password in it.' }),
  LEAKY_FAILS: z.enum(['setup', 'never']).default('never').meta({ description: 'What fails at boot.' }),
})

/** A plugin all of whose parts fail with its secrets in the error, and which logs them in every way that there is. */
export const leaky = (phone: string): OraclePlugin =>
  definePlugin({
    name: 'leaky',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Leaky', summary: 'Fails.', whenToUse: ['never'], load: 'always' },
    env,
    setup(host: Host<z.output<typeof env>>) {
      const secrets = [host.env.LEAKY_SECRET, host.env.PIN_ENCRYPTION_KEY]
      const errors = secretErrors(secrets, host.env.LEAKY_URL)
      if (host.env.LEAKY_FAILS === 'setup') throw errors[0]
      let thrown = 0
      const fail = (): never => {
        throw errors[thrown++ % errors.length]
      }
      host.jobs.define('leaky/fail', z.object({}), async () => fail(), { maxAttempts: 2, backOffMs: 1 })
      host.background('leaky task', async () => fail())
      const failing = (effect: 'read' | 'write') =>
        defineTool({ description: 'Fails.', input: z.object({}), effect, execute: async () => fail() }) as Tool
      const public_ = { ok: { 200: { description: 'done' } } }
      return {
        tools: {
          leak_reading: failing('read'),
          leak_writing: failing('write'),
          leak_cause: defineTool({
            description: 'Fails.',
            input: z.object({}),
            effect: 'read',
            execute: async () => {
              throw new ToolFailure('It failed.', { cause: errors[thrown++ % errors.length] })
            },
          }) as Tool,
          leak_asking: defineTool({
            description: 'Fails when it is approved.',
            input: z.object({}),
            effect: 'write',
            approval: 'user',
            execute: async () => fail(),
          }) as Tool,
          leak_output: defineTool({
            description: 'Gives back more than it says.',
            input: z.object({}),
            output: z.object({ fine: z.boolean() }),
            effect: 'read',
            execute: async () => ({ fine: true, secret: host.env.LEAKY_SECRET }),
          }) as Tool,
        },
        routes: [
          route.get('/leaky/fail', { auth: 'public', summary: 'A route', ...public_ }, () => fail()),
          route.post('/leaky/tell', { auth: 'public', summary: 'A route', ...public_ }, async c => {
            reportEverything(host.log, secrets, phone)
            return c.text('told')
          }),
          route.post('/leaky/store', { auth: 'public', summary: 'A route', ...public_ }, async c => {
            await host.storage.write(() => fail())
            return c.text('stored')
          }),
          route.post('/leaky/job', { auth: 'public', summary: 'A route', ...public_ }, async c => {
            await host.jobs.enqueue('leaky/fail', {})
            return c.text('taken in')
          }),
          route.post('/leaky/person', { auth: 'public', summary: 'A route', ...public_ }, async c => {
            const did = host.identity.pairwiseDid('ussd', phone)
            const actor = { did, via: 'ussd' as const, scopes: ['*'] }
            host.log.info('a caller arrived', { actor, phoneNumber: phone, context: { msisdn: phone, phone } })
            const turn = await host.turns.run({
              actor,
              session: 'call',
              text: 'Hello',
              channel: 'ussd',
              whenBusy: 'queue',
              approvals: 'deny',
            })
            return c.json('refused' in turn ? turn.refused : await turn.finished)
          }),
          route.get(
            '/leaky/keyed',
            { auth: { apiKey: 'LEAKY_API_KEYS', orUcan: 'leaky/keyed' }, summary: 'A route', ...public_ },
            () => fail(),
          ),
          route.get('/leaky/operator', { auth: 'operator', summary: 'A route', ...public_ }, () => fail()),
        ],
        instructions: async () => fail(),
        turn: { before: async () => fail(), after: async () => fail() },
        dispose: async () => fail(),
      }
    },
  })
