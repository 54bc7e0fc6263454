import { definePlugin, route, sseResponse } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const broken = definePlugin({
  name: 'broken',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Broken', summary: 'Fails.', whenToUse: ['never'], load: 'always' },
  setup: () => ({
    routes: [
      route.get(
        '/broken/stream',
        {
          auth: 'public',
          summary: 'A stream that fails',
          ok: { 200: { description: 'Events', content: { 'text/event-stream': { schema: z.string() } } } },
        },
        c =>
          sseResponse(
            c,
            (async function* () {
              yield 'data: one\n\n'
              await new Promise(resolve => setImmediate(resolve))
              throw new Error('the pump is at +260971234567')
            })(),
            () => {},
          ),
      ),
    ],
  }),
})

test('a stream of a plugin that fails breaks off, is logged with its request, and its client reads nothing of the error', async () => {
  const logger = recordedLogger()
  await using oracle = await testApp({ plugins: [broken], logger })
  const { url } = await oracle.app.listen({ port: 0 })
  const response = await fetch(`${url}/broken/stream`, { headers: { 'x-request-id': 'r1' } })
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  let text = ''
  await expect(async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk
  }).rejects.toThrow('terminated')
  expect(text).toBe('data: one\n\n')
  await expect
    .poll(() => logger.lines.filter(({ message }) => message === 'an answer broke off'))
    .toMatchObject([{ level: 'error', fields: { requestId: 'r1', error: expect.any(Error) } }])
})
