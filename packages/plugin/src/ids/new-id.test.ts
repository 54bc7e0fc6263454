import { expect, test, vi } from 'vitest'
import { newId } from './new-id.ts'

test('ids of later times come later, and no two are the same', () => {
  vi.useFakeTimers()
  try {
    const times = [0, 1, 999_999, Date.parse('2026-11-28'), Date.parse('2059-05-25'), Date.parse('2059-05-26')]
    const ids = times.map(time => {
      vi.setSystemTime(time)
      return newId('turn')
    })
    expect(ids.toSorted()).toEqual(ids)
    for (const id of ids) expect(id).toMatch(/^turn_[0-9a-z]{9}[\w-]{12}$/)
    expect(new Set(Array.from({ length: 1_000 }, () => newId('turn'))).size).toBe(1_000)
  } finally {
    vi.useRealTimers()
  }
})
