import { definePlugin, route } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const boot = async (schema: z.ZodObject) => {
  const plugin = definePlugin({
    name: 'wishes',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Wishes', summary: 'Takes them.', whenToUse: ['someone wishes'], load: 'always' },
    setup: () => {
      const answered = route.post(
        '/wishes',
        {
          auth: 'public',
          summary: 'A route',
          body: { required: true, content: { 'application/json': { schema } } },
          ok: { 200: { description: 'What was taken' } },
        },
        c => c.json(c.req.valid('json')),
      )
      return { routes: [answered], getAuthExcludedRoutes: () => [{ method: 'post', path: '/wishes' }] }
    },
  })
  const oracle = await testApp({ plugins: [plugin] })
  onTestFinished(() => oracle.app.close())
  return async (body: string | undefined, contentType?: string) => {
    const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType }
    const init = body === undefined ? { method: 'POST', headers } : { method: 'POST', headers, body }
    const answer = await oracle.app.request('/wishes', init)
    return [answer.status, await answer.json()] as const
  }
}

const json = 'application/json'

test('a handler gets the parsed body', async () => {
  const pending = await boot(z.object({ wish: z.string().trim(), times: z.number().default(1) }))
  expect(await pending('{"wish":" rain ","more":1}', json)).toEqual([200, { wish: 'rain', times: 1 }])
})

test('a body that is null, missing or empty does not pass as an empty object', async () => {
  const pending = await boot(z.object({ wish: z.string() }))
  expect(await pending('null', json)).toMatchObject([400, { code: 'input_invalid', issues: [{ path: '' }] }])
  expect(await pending('', json)).toMatchObject([400, { code: 'input_invalid' }])
  expect(await pending(undefined)).toMatchObject([400, { code: 'input_invalid', issues: [{ path: '/wish' }] }])
})

test('the detail of an invalid body names the part and what is wrong with it', async () => {
  const pending = await boot(z.object({ wish: z.object({ text: z.string() }) }))
  expect(await pending('{"wish":{"text":7}}', json)).toMatchObject([
    400,
    { code: 'input_invalid', detail: expect.stringMatching(/: \/wish\/text: Invalid input: expected string/) },
  ])
  expect(await pending('[]', json)).toMatchObject([
    400,
    { detail: expect.stringContaining(': the body: Invalid input') },
  ])
})

test('null does not pass as an empty object', async () => {
  const pending = await boot(z.object({ wish: z.string().optional() }))
  expect((await pending('null', json))[0]).toBe(400)
  expect(await pending('{}', json)).toEqual([200, {}])
})

test('an asynchronous schema is awaited each time', async () => {
  const known = z.string().refine(async text => text === 'rain', 'is none that we know')
  const pending = await boot(z.object({ wish: known }))
  for (let time = 0; time < 2; time += 1) {
    expect((await pending('{"wish":"rain"}', json))[0]).toBe(200)
    expect(await pending('{"wish":"gold"}', json)).toMatchObject([400, { issues: [{ path: '/wish' }] }])
  }
})

test('each invalid or unknown member is named by its JSON Pointer', async () => {
  const pending = await boot(z.strictObject({ wish: z.array(z.strictObject({ 'for/whom': z.string() })) }))
  const [status, { issues }] = await pending(
    '{"wish":[{"for/whom":5},{"for/whom":"us","when~":1,"why":1}],"more":1}',
    json,
  )
  expect(status).toBe(400)
  expect((issues as { path: string }[]).map(({ path }) => path)).toEqual([
    '/wish/0/for~1whom',
    '/wish/1/when~0',
    '/wish/1/why',
    '/more',
  ])
})
