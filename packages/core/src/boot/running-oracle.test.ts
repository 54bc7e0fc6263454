import { definePlugin, route } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

test.each([
  ['npx sibyl', {}],
  ['pnpm sibyl', { npm_config_user_agent: 'pnpm/12.0.0' }],
  ['npx -y pnpm@12 sibyl', { npm_lifecycle_event: 'start', npm_lifecycle_script: 'node scripts/launch.mjs start' }],
])('shows how to talk to it at its address: %s chat', async (command, env) => {
  for (const name of ['npm_config_user_agent', 'npm_lifecycle_event', 'npm_lifecycle_script'] as const) {
    vi.stubEnv(name, (env as NodeJS.ProcessEnv)[name])
  }
  onTestFinished(() => void vi.unstubAllEnvs())
  const logger = recordedLogger()
  await using oracle = await testApp({ plugins: [], logger })
  const { url } = await oracle.app.listen({ port: 0 })
  const reported = logger.lines.map(({ message }) => message)
  expect(reported).toContain(`[boot] listening ${url} to chat: ${command} chat --url ${url}`)
})

test('shows no command in production, where npx would request a package named sibyl', async () => {
  const logger = recordedLogger()
  await using oracle = await testApp({ plugins: [], logger, env: { NODE_ENV: 'production' } })
  const { url } = await oracle.app.listen({ port: 0 })
  expect(logger.lines.map(({ message }) => message)).toContain(`[boot] listening ${url}`)
})

test('a plugin ends its endless response once the oracle begins to stop', async () => {
  const endless = definePlugin({
    name: 'endless',
    version: '1.0.0',
    core: '^0.1.0',
    manifest: { title: 'Endless', summary: 'Never stops.', whenToUse: ['never'] },
    setup: ({ ending }) => ({
      routes: [
        route.get('/endless', { auth: 'public', summary: 'A route', ok: { 200: { description: 'No end' } } }, () => {
          const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
            controller.enqueue(new TextEncoder().encode('and so on'))
            ending.addEventListener('abort', () => controller.close())
          }
          return new Response(new ReadableStream({ start }))
        }),
      ],
    }),
  })
  await using oracle = await testApp({ plugins: [endless] })
  const { url } = await oracle.app.listen({ port: 0 })
  const answer = await fetch(`${url}/endless`)
  const text = answer.text()
  await oracle.app.close()
  expect(await text).toBe('and so on')
})
