import { definePlugin, type Manifest } from '@sibyl/plugin'
import { z } from 'zod'
import { type AppFiles, appFiles } from './server/app-files.ts'
import { consoleRoutes } from './server/console-routes.ts'

const env = z.object({
  CONSOLE: z.enum(['on', 'off']).optional().meta({
    description: 'Whether the console is served at /console. It needs OAUTH=on.',
    example: 'on',
    defaultText: 'on, in production off',
  }),
})

/**
 * The console of the oracle in a browser: chat, phone, twins and operations. Its files are static; data comes from the
 * documented routes, with the rights of the user who signed in. Off in production unless `CONSOLE=on`.
 *
 * @example
 * await createOracleApp({ config, plugins: [weather()], adapters: [oauth(), webConsole()] })
 */
export const webConsole = () => consoleOf(appFiles())

/** Creates the console with the files of a build. */
export const consoleOf = (files: () => Promise<AppFiles>) =>
  definePlugin({
    name: 'console',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env,
    switch: 'CONSOLE',
    uses: ['oauth'],
    setup: host => ({
      endpoint: '/console',
      homePage: '/console',
      routes: consoleRoutes(host.oracle.name, files),
    }),
  })

const manifest: Manifest = {
  title: 'Console',
  summary: 'The oracle in a browser: chat, phone, twins and operations.',
  whenToUse: ['a developer or an operator opens the oracle in a browser'],
}
