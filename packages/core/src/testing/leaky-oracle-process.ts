import { definePlugin, defineTool, type Host, route, ToolFailure } from '@sibyl/plugin'
import { z } from 'zod'
import { createOracleApp } from '../create-oracle-app.ts'

/**
 * An oracle process with a plugin whose every part fails with its secret in the error. It sends its URL and DID over
 * IPC, logs to standard output, and closes at SIGTERM.
 */
const env = z.object({
  LEAKY_TOKEN: z.string(),
  LEAKY_WORDS: z.string().meta({ description: 'A secret whose name does not say so.', secret: true }),
})

/** Returns the encodings of a secret. */
const forms = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')]
}

const leaky = definePlugin({
  name: 'leaky',
  version: '0.1.0',
  core: '*',
  manifest: { title: 'Leaky', summary: 'Fails.', whenToUse: ['never'], load: 'always' },
  env,
  setup(host: Host<z.output<typeof env>>) {
    const fail = (): never => {
      const secret = host.env.LEAKY_TOKEN
      const inside = JSON.parse(process.env.INSIDE_LISTS ?? '[]') as string[]
      const inner = new Error([host.env.LEAKY_WORDS, ...inside].flatMap(forms).join(' or '))
      const cause = new Error(`cause ${Buffer.from(secret).toString('base64')}`, { cause: inner })
      throw Object.assign(new Error(`failed with ${secret}`, { cause }), { token: secret, code: secret })
    }
    return {
      tools: {
        leak: defineTool({ description: 'Fails.', input: z.object({}), effect: 'write', execute: async () => fail() }),
        leak_cause: defineTool({
          description: 'Fails.',
          input: z.object({}),
          effect: 'read',
          execute: async () => {
            throw new ToolFailure('Failed.', { cause: new Error(host.env.LEAKY_TOKEN) })
          },
        }),
      },
      routes: [
        route.get('/leak', { auth: 'public', summary: 'A route', ok: { 200: { description: 'x' } } }, () => fail()),
      ],
      instructions: async () => fail(),
      turn: { before: async () => fail(), after: async () => fail() },
    }
  },
})

const app = await createOracleApp({ plugins: [leaky] })
process.once('SIGTERM', () => void app.close().then(() => process.disconnect()))
const { url } = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ url: url.replace('localhost', '127.0.0.1'), did: app.identity.did })
