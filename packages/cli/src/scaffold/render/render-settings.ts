import type { OracleConfig } from '@sibyl/core'
import type { ProjectFile, SettingsFacts } from '../answers/project-facts.ts'
import { renderJson } from './render-manifest.ts'

/** The initial system prompt of a new project. */
const firstPrompt = 'Be brief and plain. Say so when you do not know something.'

export const renderOracleConfig = ({ answers, entityDid }: SettingsFacts): ProjectFile => {
  const { name, description, price, model } = answers.profile
  const config: OracleConfig = {
    $schema: './node_modules/@sibyl/core/oracle.config.schema.json',
    name,
    description,
    model,
    prompt: firstPrompt,
    price,
    network: answers.network,
    entityDid,
  }
  return { path: 'oracle.config.json', content: renderJson(config) }
}

/**
 * Renders `tsconfig.json`: strict, for sources that Node runs directly.
 *
 * @param options `hasPage`: whether `web/` has a React page.
 */
export const renderTsconfig = ({ hasPage }: { readonly hasPage: boolean }): ProjectFile => ({
  path: 'tsconfig.json',
  content: renderJson({
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', ...(hasPage ? ['dom', 'dom.iterable', 'dom.asynciterable'] : [])],
      module: 'nodenext',
      types: ['node', ...(hasPage ? ['vite/client'] : [])],
      ...(hasPage ? { jsx: 'react-jsx' } : {}),
      noEmit: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      noImplicitOverride: true,
      noFallthroughCasesInSwitch: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      isolatedModules: true,
      allowImportingTsExtensions: true,
      forceConsistentCasingInFileNames: true,
      skipLibCheck: true,
    },
    include: ['src', ...(hasPage ? ['web'] : []), 'vitest.config.ts'],
    ...(hasPage ? { exclude: ['web/dist'] } : {}),
  }),
})

/** Renders `vitest.config.ts`, which first checks the version of Node. */
export const renderVitestConfig = (): ProjectFile => ({
  path: 'vitest.config.ts',
  content: `import '@sibyl/core/node-version'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['src/**/*.test.ts'], testTimeout: 30_000 },
})
`,
})
