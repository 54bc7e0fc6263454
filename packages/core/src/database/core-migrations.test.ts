import { tableViolations } from '@sibyl/storage'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { coreMigrations } from './core-migrations.ts'

await onEachEngineWith('core', coreMigrations)('tables of core', engine => {
  test('are created as they are defined', async () => {
    const { tables } = coreMigrations['0100-base']
    expect(tables.length).toBeGreaterThan(15)
    expect(await tableViolations(await engine.open(), tables)).toEqual([])
  })
})
