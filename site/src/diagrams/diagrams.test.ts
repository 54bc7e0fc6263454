import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkout, diagrams } from './draw-diagrams.ts'

test.each([...diagrams()])('%s is as drawn; else run: npx -y pnpm@12 site draw', (path, svg) => {
  expect(readFileSync(join(checkout, path), 'utf8')).toBe(svg)
})
