import { expect, test } from 'vitest'
import { createKeySession } from './key-session.ts'

test('keeps the key for the tab, or for the page where the browser stores nothing', async () => {
  const items = new Map<string, string>()
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
    removeItem: (name: string) => items.delete(name),
  } as unknown as Storage
  const none = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  for (const use of [() => storage, none]) {
    const session = createKeySession(use)
    let changes = 0
    const end = session.subscribe(() => {
      changes += 1
    })
    expect([session.isOpen, await session.accessToken()]).toEqual([false, undefined])
    session.open('a-key')
    expect([session.isOpen, await session.accessToken()]).toEqual([true, 'a-key'])
    expect(createKeySession(use).isOpen).toBe(use !== none)
    expect(await session.accessToken('an-earlier-key')).toBe('a-key')
    expect(session.isRejected).toBe(false)
    expect(await session.accessToken('a-key')).toBeUndefined()
    expect([session.isOpen, session.isRejected]).toEqual([false, true])
    session.open('another')
    session.close()
    expect([session.isOpen, session.isRejected, changes]).toEqual([false, false, 4])
    end()
  }
  expect(items.size).toBe(0)
})
