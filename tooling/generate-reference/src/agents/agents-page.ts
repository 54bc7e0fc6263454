import { allowedImports, groupOfFolder } from '@sibyl/tooling-import-arrows'
import type { WorkspacePackage } from '@sibyl/tooling-source'
import { markdownTable } from '../markdown-table.ts'
import { commonChanges } from './common-changes.ts'

/** Purposes of the commands of the root's package.json, by their names. */
export type CommandPurposes = ReadonlyMap<string, string>

/** Commands of the page: their names in package.json, and arguments. */
const shownCommands = [
  ['demo'],
  ['start'],
  ['dev'],
  ['sibyl', 'chat --once "hello"'],
  ['test', 'packages/core'],
  ['check'],
  ['format'],
  ['reference'],
  ['words', '--list packages/core'],
  ['packed'],
] as const

/**
 * The page `AGENTS.md`.
 *
 * @throws Error for a command without a purpose.
 */
export const agentsPage = (packages: readonly WorkspacePackage[], purposes: CommandPurposes): string => {
  const root = packages.find(({ folder }) => folder === '.')?.manifest
  return `# Map for agents and newcomers

${root?.description}.
TypeScript, ESM, Node ${root?.engines?.node}, one pnpm workspace. Read [CONTRIBUTING.md](CONTRIBUTING.md) before you change code.
\`npx -y pnpm@12 reference\` writes this page from the manifests, \`tooling/import-arrows\`, \`scripts/launch.mjs\` and
\`tooling/generate-reference/src/agents\`.

## Commands

Run each with \`npx -y pnpm@12\`. \`node scripts/launch.mjs\` lists all; \`.ci/run\` runs the main job of CI.

${markdownTable(
  ['Command', 'Purpose'],
  shownCommands.map(([name, ...args]) => [code([name, ...args].join(' ')), purposeOf(name, purposes)]),
)}

## Where to begin

Then run \`reference\`, which writes generated pages, and \`check\`.

${markdownTable(
  ['To add', 'Open'],
  commonChanges.map(({ change, files }) => [change, files.map(code).join(', ')]),
)}

## Packages

\`tooling/import-arrows/src/allowed-imports.ts\` declares the imports between packages, \`tooling/import-arrows/src/layers.ts\`
those between folders of a package. \`check\` fails on others. Tests may import what their package.json or the root's declares.

${importTable(packages)}

${['packages/adapters', 'packages/plugins'].map(folder => packageList(folder, packages)).join('\n\n')}

Other folders are not published, and may import any package.

${['', 'templates', 'examples', 'tooling'].map(folder => packageList(folder, packages)).join('\n\n')}
`
}

const purposeOf = (name: string, purposes: CommandPurposes): string => {
  const found = purposes.get(name)
  if (found === undefined) throw new Error(`package.json has no command '${name}' of scripts/launch.mjs.`)
  return found
}

/** Returns a table with a row for each package, and one row for all adapters and all plugins. */
const importTable = (packages: readonly WorkspacePackage[]): string =>
  markdownTable(
    ['Folder of `packages`', 'Purpose', 'May import'],
    Object.entries(allowedImports).flatMap(([group, targets]) => {
      if (targets === 'any') return []
      const members = packages.filter(({ folder }) => groupOfFolder(folder) === group)
      const single = members.find(({ folder }) => folder === `packages/${group}`)
      return [
        [
          code(single ? group : `${group}/*`),
          single ? purpose(single) : `${members.length} packages, below`,
          targets.length === 0 ? 'none' : targets.join(', '),
        ],
      ]
    }),
  )

/** Returns the packages directly in a folder; `''` for those of the checkout. */
const packageList = (parent: string, packages: readonly WorkspacePackage[]): string => {
  const prefix = parent === '' ? '' : `${parent}/`
  const inside = packages.filter(
    ({ folder }) => folder !== '.' && folder.startsWith(prefix) && !folder.slice(prefix.length).includes('/'),
  )
  const lines = inside.map(each => `- ${code(each.folder.slice(prefix.length))}: ${purpose(each)}`)
  return [...(parent === '' ? [] : [`In ${code(parent)}:`, '']), ...lines].join('\n')
}

const purpose = ({ manifest }: WorkspacePackage): string => manifest.description ?? ''

const code = (text: string): string => `\`${text}\``
