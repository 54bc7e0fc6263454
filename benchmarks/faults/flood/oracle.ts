// An oracle of everything that a flood of strangers reaches. Its model calls a priced tool when asked for a survey.
import { bundledAdapters } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { oauth } from '@sibyl/oauth'
import { definePlugin, defineTool } from '@sibyl/plugin'
import type { GuardedFetch } from '@sibyl/plugin/outbound'
import { credits } from '@sibyl/plugin-credits'
import { files } from '@sibyl/plugin-files'
import { silentLogger } from '@sibyl/testing'
import { z } from 'zod'
import { askedText, endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'
import { redirectUri } from './sign-in-client.ts'

const survey = defineTool({ description: 'Surveys.', input: z.object({}), effect: 'read', execute: async () => 'seen' })
const shop = definePlugin({
  name: 'shop',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Shop', summary: 'Sells.', whenToUse: ['someone buys'], load: 'always' },
  setup: () => ({ tools: { survey } }),
})
const items = JSON.stringify(Array.from({ length: 3_000 }, () => 'a'))
const model = endlessModel(call => {
  const text = askedText(call)
  if (text.startsWith('survey') && call.prompt.at(-1)?.role !== 'tool') return [{ tool: 'survey', input: {} }]
  return [text.startsWith('list') ? items : 'All is well.']
})
/** Serves the documents of clients, which are at public addresses alone. */
const documents: GuardedFetch = async url => ({
  url: String(url),
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: Buffer.from(JSON.stringify({ client_id: String(url), client_name: 'Pocket', redirect_uris: [redirectUri] })),
  isComplete: true,
})
const app = await createOracleApp({
  plugins: [credits(), files(), shop],
  adapters: [
    ...bundledAdapters().filter(({ name }) => !['oauth', 'console'].includes(name)),
    oauth({ fetch: documents }),
  ],
  model,
  logger: silentLogger,
})
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
// Loads the authorization server, so that its defences are taken out.
await fetch(`http://127.0.0.1:${port}/oauth/authorize`)
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)))
