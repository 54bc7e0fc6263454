// An oracle with locked routes that count how often their handlers run, and public ones that begin with the same words.
import { createOracleApp } from '@sibyl/core'
import { definePlugin, route } from '@sibyl/plugin'
import type { Access } from '@sibyl/plugin/host'
import { silentLogger } from '@sibyl/testing'
import { announceOracle } from '../frame/start-oracle.ts'
import { lockedPaths, publicPaths } from './paths.ts'

let ran = 0
const responses = { 200: { description: 'it ran' } }

const locked = (access: Access, path: string) =>
  (['get', 'post', 'put', 'delete'] as const).map(method =>
    route[method](path, { auth: access, summary: 'A route', ok: responses }, c => {
      ran += 1
      return c.text(`the handler of ${path} ran`)
    }),
  )

const open = (path: string) =>
  route.get(path, { auth: 'public', summary: 'A route', ok: responses }, c =>
    c.text('public', 200, { 'x-public': 'yes' }),
  )

const vault = definePlugin({
  name: 'vault',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Vault', summary: 'Keeps things.', whenToUse: ['never'], load: 'on-demand' },
  setup: () => ({
    routes: [
      ...publicPaths.map(open),
      route.get('/count', { auth: 'public', summary: 'A route', ok: responses }, c => c.json({ ran })),
      ...lockedPaths.flatMap(({ access, template }) => locked(access, template)),
    ],
  }),
})

const app = await createOracleApp({ plugins: [vault], logger: silentLogger })
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
