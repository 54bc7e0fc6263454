import { expect, test } from 'vitest'
import { sendUssd } from './send-ussd.ts'

/** Creates an app that answers requests with these bodies in order, and records the requests. */
const scripted = (...bodies: readonly string[]) => {
  const asked: { path: string; headers: Headers; body: unknown }[] = []
  const left = [...bodies]
  const request = (path: string, init: RequestInit = {}) => {
    asked.push({ path, headers: new Headers(init.headers), body: JSON.parse(String(init.body)) })
    return new Response(left.shift() ?? 'END over')
  }
  return { asked, request }
}

test('accumulates answers as a telecom gateway does, one request each', async () => {
  const app = scripted('CON Welcome\n1. Know More', 'CON Info', 'CON Pricing', 'END Bye')
  const welcome = await sendUssd(app, { phoneNumber: '+254700000001', serviceCode: '*99#', headers: { 'x-a': 'b' } })
  expect(welcome).toMatchObject({
    kind: 'CON',
    text: 'Welcome\n1. Know More',
    lines: ['Welcome', '1. Know More'],
    typed: '',
  })
  const pricing = await welcome.answer('1', '2')
  expect(pricing).toMatchObject({ text: 'Pricing', typed: '1*2', sessionId: welcome.sessionId })
  expect(await pricing.answer('*')).toMatchObject({ kind: 'END', text: 'Bye', status: 200 })
  const common = { sessionId: welcome.sessionId, phoneNumber: '+254700000001', serviceCode: '*99#' }
  expect(app.asked.map(({ body }) => body)).toEqual(['', '1', '1*2', '1*2**'].map(text => ({ ...common, text })))
  expect(app.asked.every(({ path, headers }) => path === '/api/ussd' && headers.get('x-a') === 'b')).toBe(true)
})

test('repeats a request unchanged; each dial is a new session', async () => {
  const app = scripted('CON a', 'CON a', 'CON a')
  const one = await (await sendUssd(app)).repeat()
  expect((await sendUssd(app)).sessionId).not.toBe(one.sessionId)
  expect(app.asked[1]).toEqual(app.asked[0])
})

test.each(['', 'Not found', 'CONtinue', '{"status":500}'])('a reply like %j is an error that shows it', async body => {
  await expect(sendUssd(scripted(body))).rejects.toThrow(`neither CON nor END (status 200): ${body}`)
})
