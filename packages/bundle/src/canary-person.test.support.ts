import { mintDelegation } from '@sibyl/identity'
import type { TestActor } from '@sibyl/testing'
import { expect } from 'vitest'

/** A word that stands in everything that the people of a test write. */
export const canary = 'Quetzalcoatl'

/** The answers of a model that writes the canary into what it does. */
export const canarySteps = () => [
  { tool: 'load_capability', input: { names: ['sandbox', 'memory'] } },
  { tool: 'run_code', input: { language: 'javascript', code: `'${canary} '.repeat(3_000)` } },
  { tool: 'remember', input: { text: `Grows maize near ${canary}` } },
  `Hello ${canary}.`,
  `A file of ${canary}.`,
  `By phone: ${canary}.`,
  `By SMS: ${canary}.`,
]

/** Returns what a request that succeeds responds with. */
export const ok = async (response: Response | Promise<Response>) => {
  const answer = await response
  const text = await answer.text()
  expect(answer.status, text).toBeLessThan(300)
  return text === '' ? undefined : text.startsWith('{') ? JSON.parse(text) : text
}

/** Has a person use all that stores something of them. */
export const useAll = async ({ request, key }: TestActor, oracle: string) => {
  await ok(request('/chat', { json: { id: 's1', message: `Good morning from ${canary}` } }))
  const capabilities = [{ resource: 'shop:one', ability: 'shop/read' }]
  const delegation = await mintDelegation({ key, audience: oracle, capabilities })
  await ok(request('/delegation', { json: { delegation } }))
  await ok(request('/auth/token', { json: { scopes: ['session/read'] } }))
  await ok(request('/me/preferences', { method: 'PATCH', json: { name: canary } }))
  await ok(
    request(`/files/content?path=${canary}.txt`, {
      method: 'PUT',
      body: `All of ${canary}`,
      headers: { 'content-type': 'text/plain' },
    }),
  )
  const content = Buffer.from(`All of ${canary}`).toString('base64')
  const attached = {
    type: 'file',
    mediaType: 'text/plain',
    filename: `${canary}.txt`,
    url: `data:text/plain;base64,${content}`,
  }
  await ok(request('/chat', { json: { id: 's2', message: { role: 'user', parts: [attached] } } }))
  await ok(request('/tasks', { json: { what: `Think of ${canary}`, remind: true, when: { inMinutes: 60 } } }))
  const stove = await ok(request('/v1/entities', { json: { type: 'CookStove', properties: { name: canary } } }))
  const collection = await ok(
    request('/v1/collections', {
      json: { title: 'Stoves', submitters: 'anyone', evaluation: 'person', confirm: true },
    }),
  )
  await ok(request('/v1/claims', { json: { collection: collection.id, asset: stove.did, data: { note: canary } } }))
  const subject = { id: key.did, note: canary }
  await ok(
    request('/credentials/issue', { json: { type: 'NoteCredential', subject }, headers: { 'idempotency-key': 'one' } }),
  )
}
