// An oracle whose turns are held up before they are admitted: by a hook, and while their attachments are stored.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createOracleApp } from '@sibyl/core'
import { definePlugin, provide } from '@sibyl/plugin'
import { personFiles, type ServiceOf } from '@sibyl/protocol'
import { silentLogger } from '@sibyl/testing'
import { endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'

type PersonFile = Awaited<ReturnType<ServiceOf<typeof personFiles>['write']>>

const [folder = ''] = process.argv.slice(2)

/** Says what holds a turn up, and holds it for a while. */
const hold = async (at: string): Promise<void> => {
  process.stdout.write(`${JSON.stringify({ holding: at })}\n`)
  await pause(300 + Math.random() * 400)
}

const slowFiles: ServiceOf<typeof personFiles> = {
  list: async () => [],
  read: async () => undefined,
  async write({ path, content }): Promise<PersonFile> {
    await hold('attachment')
    const sha256 = createHash('sha256').update(content).digest('hex')
    writeFileSync(join(folder, sha256), content)
    return { path, bytes: content.length, mediaType: 'text/plain', sha256, updatedAt: new Date().toISOString() }
  },
  readPdf: async () => undefined,
  linksTo: async () => new Map(),
  urlOf: path => `/files/${path}`,
  findByUrl: async () => undefined,
}

const holding = definePlugin({
  name: 'holding',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Holding', summary: 'Holds turns up.', whenToUse: ['never'] },
  setup: () => ({
    services: [provide(personFiles, slowFiles)],
    turn: {
      async before() {
        await hold('hook')
        return undefined
      },
    },
  }),
})

const app = await createOracleApp({
  plugins: [holding],
  model: endlessModel(() => ['All ', { wait: pause(Math.random() * 20) }, 'is well.']),
  logger: silentLogger,
})
const { url } = await app.listen({ port: 0 })
announceOracle(url, app.identity.did)
