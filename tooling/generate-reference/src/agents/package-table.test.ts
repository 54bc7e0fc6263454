import { expect, test } from 'vitest'
import { withPackageTable } from './package-table.ts'

const page = `# Tides

<!-- packages, written by npx -y pnpm@12 reference -->
old
<!-- end of packages -->

The end.
`

test('the marks of a page enclose the table of published packages', () => {
  const packages = [
    { folder: '.', manifest: { name: 'root' }, files: [] },
    { folder: 'packages/tides', manifest: { name: '@sibyl/tides', description: 'Tide tables' }, files: [] },
    { folder: 'tooling/moon', manifest: { name: '@sibyl/moon', private: true }, files: [] },
  ]
  const written = withPackageTable(page, packages)
  expect(written).toBe(`# Tides

<!-- packages, written by npx -y pnpm@12 reference -->

| Package                                    | Purpose     |
| ------------------------------------------ | ----------- |
| [\`@sibyl/tides\`](packages/tides/README.md) | Tide tables |

<!-- end of packages -->

The end.
`)
  expect(withPackageTable(written, packages)).toBe(written)
})

test('a page without marks is an error', () => {
  expect(() => withPackageTable('# Tides\n', [])).toThrow('<!-- end of packages -->')
})
