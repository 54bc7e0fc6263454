import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openTo } from './claim-actions.js'
import { keptKey } from './kept-key.js'

const folder = new URL('.', import.meta.url)
const scripts = readdirSync(folder).filter(name => name.endsWith('.js'))
const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8')

test('no script makes HTML, styles or scripts out of texts, or leads elsewhere', () => {
  expect(scripts.length).toBeGreaterThan(10)
  for (const name of scripts) {
    expect([name, textOf(name)]).toEqual([
      name,
      expect.not.stringMatching(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML|\beval\b|new Function|srcdoc|localStorage|document\.cookie|['"`]style['"`]|\.style\b/,
      ),
    ])
    expect(textOf(name).replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//)
  }
})

test('every script is JavaScript as browsers read it, and all its imports are there', async () => {
  execFileSync(process.execPath, ['--check', new URL('app.js', folder).pathname])
  const modules = scripts.filter(name => name !== 'app.js')
  const exported = new Map(
    await Promise.all(
      modules.map(async name => [name, await import(/* @vite-ignore */ new URL(name, folder).href)] as const),
    ),
  )
  for (const [, names = '', file = ''] of textOf('app.js').matchAll(/^import \{ (.*) \} from '\.\/(.*)'$/gm)) {
    for (const name of names.split(', ')) expect(exported.get(file)).toHaveProperty(name)
  }
})

test('every address that an element is given leads to a place of the page', () => {
  expect(textOf('elements.js')).toContain("name === 'href' && !String(value).startsWith('#')")
})

test('what can be decided follows from where a claim stands', () => {
  const labels = (claim: Parameters<typeof openTo>[0]) => openTo(claim)?.decisions.map(({ label }) => label)
  const verdict = { decision: 'approve', reasons: [], checks: [], method: 'rules', by: 'did:key:z', at: '' } as const
  expect(labels({ state: 'submitted', verdict: undefined })).toEqual(['Evaluate'])
  expect(labels({ state: 'evaluating', verdict: undefined })).toEqual(['Evaluate again'])
  expect(labels({ state: 'evaluating', verdict: { ...verdict, reasons: [], checks: [] } })).toEqual([
    'Approve',
    'Reject',
  ])
  expect(labels({ state: 'approved', verdict: undefined })).toEqual(['Dispute'])
  expect(labels({ state: 'disputed', verdict: undefined })).toEqual(['Uphold the decision', 'Invalidate it'])
  expect(labels({ state: 'upheld', verdict: undefined })).toBeUndefined()
})

test('the key is kept for the tab, or for the page where the browser keeps nothing', () => {
  const items = new Map<string, string>()
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
    removeItem: (name: string) => items.delete(name),
  } as unknown as Storage
  const none = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  for (const kept of [keptKey(() => storage), keptKey(none)]) {
    expect(kept.read()).toBe('')
    kept.keep('a-key')
    expect(kept.read()).toBe('a-key')
    kept.forget()
    expect(kept.read()).toBe('')
  }
  expect(items.size).toBe(0)
})
