import { expect, test } from 'vitest'
import { ApiError, createApi } from './api.js'

const answering = (body: BodyInit | null, init: ResponseInit = {}) => {
  const asked: { url: string; init: RequestInit | undefined }[] = []
  const api = createApi({
    base: 'https://field.example/oracle/',
    key: 'a-key-for-tests',
    fetch: async (url, init_) => {
      asked.push({ url: String(url), init: init_ })
      return new Response(body, init)
    },
  })
  return { api, asked }
}

test('the key goes to the routes beside the page, and nothing else of the browser', async () => {
  const { api, asked } = answering('{"entities":[]}')
  expect(await api.get('v1/entities?limit=1')).toEqual({ entities: [] })
  await api.post('v1/claims/1/confirm', { decision: 'approve' })
  expect(asked.map(({ url }) => url)).toEqual([
    'https://field.example/oracle/v1/entities?limit=1',
    'https://field.example/oracle/v1/claims/1/confirm',
  ])
  for (const { init } of asked) {
    expect(init).toMatchObject({ credentials: 'omit', cache: 'no-store' })
    expect(new Headers(init?.headers).get('authorization')).toBe('Bearer a-key-for-tests')
  }
  expect(asked[1]?.init).toMatchObject({ method: 'POST', body: '{"decision":"approve"}' })
})

const problem = { type: 'about:blank', title: 'No', status: 422, code: 'claim_invalid', detail: 'It does not fit.' }

test('shows a problem with its own text', async () => {
  const issues = [{ path: '/reason', message: 'is missing' }]
  const { api } = answering(JSON.stringify({ ...problem, issues }), { status: 422 })
  const error = await api.get('v1/claims').catch(reason => reason)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ message: 'It does not fit.', status: 422, code: 'claim_invalid', issues })
})

test('too many requests tell when to come back', async () => {
  const { api } = answering(JSON.stringify(problem), { status: 429, headers: { 'retry-after': '12' } })
  await expect(api.get('v1/claims')).rejects.toMatchObject({ message: 'It does not fit. Try again in 12 s.' })
})

test.each<[BodyInit | null, ResponseInit]>([
  ['<html>', { status: 200 }],
  ['<html>', { status: 502 }],
  [null, { status: 204 }],
  ['{"hello":1}', { status: 500 }],
])('reports %s with %j as a response that is not from an oracle', async (body, init) => {
  await expect(answering(body, init).api.get('v1/claims')).rejects.toMatchObject({ code: 'unexpected_response' })
})

test('reports an unreachable oracle in a sentence', async () => {
  const api = createApi({ base: 'https://field.example/', key: '', fetch: () => Promise.reject(new TypeError('x')) })
  await expect(api.get('v1/claims')).rejects.toMatchObject({
    message: 'The oracle does not answer. Is it still running?',
    status: 0,
  })
})
