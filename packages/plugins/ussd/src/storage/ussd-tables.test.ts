import { tableViolations } from '@sibyl/plugin'
import { expect, test } from 'vitest'
import { onEachEngine } from './on-each-engine.test.helper.ts'
import * as tables from './ussd-tables.ts'

await onEachEngine('tables', engine => {
  test('the migrated database has the defined tables and columns', async () => {
    expect(await tableViolations(await engine.open(), Object.values(tables))).toEqual([])
  })
})
