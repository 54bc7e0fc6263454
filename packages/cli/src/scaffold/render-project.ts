import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { type EnvVariable, listEnvVariables, type OracleConfig } from '@sibyl/core'
import { botVariables, projectVariables } from '../env/command-variables.ts'
import { madeSecrets } from '../env/made-secrets.ts'
import { renderEnvExample } from '../env/render-env-example.ts'
import { renderEnvValues } from '../env/render-env-values.ts'
import { isLoopback } from '../home/known-oracles.ts'
import type { PackageSource, ProjectFacts, ProjectFile, SettingsFacts, SourceFacts } from './answers/project-facts.ts'
import { readTemplate } from './packages/template.ts'
import { renderContainer, renderGitIgnore } from './render/render-container.ts'
import { renderDeploy } from './render/render-deploy.ts'
import { renderJson, renderManagerFiles, renderManifest } from './render/render-manifest.ts'
import { renderAgents, renderPluginFolder, renderReadme, renderSkillsFolder } from './render/render-readme.ts'

const variables = () => listEnvVariables([...bundledPlugins(), ...bundledAdapters()])

/** Renders all files of a new project: those of its template, those derived from the answers, and its packages. */
export const renderProject = async (facts: ProjectFacts): Promise<ProjectFile[]> => [
  ...(await renderSources(facts)),
  ...renderSettings(facts),
]

/** Renders the files with the results of the registration, all in the folder of the project. */
export const renderSettings = (facts: SettingsFacts): ProjectFile[] => [
  renderOracleConfig(facts),
  { path: '.env', content: renderEnvFile(facts, variables()), mode: 0o600 },
  renderReadme(facts),
]

/** Renders the other files. */
export const renderSources = async (facts: SourceFacts): Promise<ProjectFile[]> => {
  const template = await readTemplate(facts.answers.template)
  const hasPage = 'web/index.html' in template.files
  const files = [
    renderManifest(facts, template),
    renderTsconfig({ hasPage }),
    renderVitestConfig(),
    { path: '.env.example', content: renderEnvExample(projectVariables(variables())) },
    ...Object.entries(template.files).map(([path, content]) => ({ path, content })),
    ...renderPluginFolder(facts, Object.keys(template.files)),
    renderSkillsFolder(),
    renderAgents(facts),
    renderGitIgnore(facts, { hasPage }),
    ...renderManagerFiles(facts),
    ...renderDeploy(facts, template),
    ...vendoredFiles(facts.packages),
  ]
  const paths = files.map(({ path }) => path)
  return [...files, ...renderContainer(facts, paths)]
}

const vendoredFiles = (packages: PackageSource): ProjectFile[] =>
  [...packages.values()].map(({ fileName, content }) => ({ path: `vendor/${fileName}`, content }))

/**
 * Renders the `.env` of a new project: its values, the secrets of its oracle and its messaging bot, and the settings of
 * the plugins, commented out. Generates the secrets, except the mnemonic.
 *
 * @param variables Of core and the bundled plugins: `listEnvVariables([...bundledPlugins(), ...bundledAdapters()])`.
 * @throws `configuration_invalid` when a value cannot be written to an `.env`, such as one of several lines
 */
export const renderEnvFile = (facts: SettingsFacts, variables: readonly EnvVariable[]): string =>
  renderEnvValues({ ...ownValues(facts), ...secretsOf(facts), ...botValues(facts) }, variables)

const ownValues = ({ answers, controllers, database }: SettingsFacts): Readonly<Record<string, string>> => {
  const { port, network, apiUrl, registryUrl, rpcUrl, modelUrl } = answers
  return {
    PORT: String(port),
    NETWORK: network,
    ...database,
    ...(isLoopback(apiUrl) ? {} : { PUBLIC_URL: apiUrl }),
    ORACLE_CONTROLLERS: controllers.join(','),
    ...(modelUrl === undefined ? {} : { OPENAI_BASE_URL: modelUrl }),
    ...(registryUrl === undefined ? {} : { REGISTRY_URL: registryUrl }),
    ...(rpcUrl === undefined ? {} : { CHAIN_RPC_URL: rpcUrl }),
  }
}

const secretsOf = ({ mnemonic }: SettingsFacts): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(madeSecrets.map(({ variable, make }) => [variable, make()])),
  ORACLE_MNEMONIC: mnemonic,
})

const botValues = ({ bot }: SettingsFacts): Readonly<Record<string, string>> =>
  bot ? Object.fromEntries(botVariables.map(([{ name }, credential]) => [name, bot[credential]])) : {}

/** The initial system prompt of a new project. */
const firstPrompt = 'Be brief and plain. Say so when you do not know something.'

const renderOracleConfig = ({ answers, entityDid }: SettingsFacts): ProjectFile => {
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
const renderTsconfig = ({ hasPage }: { readonly hasPage: boolean }): ProjectFile => ({
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

/** Renders `vitest.config.ts`, which first checks the version of Node. Node 22 warns that its SQLite is experimental. */
const renderVitestConfig = (): ProjectFile => ({
  path: 'vitest.config.ts',
  content: `import '@sibyl/core/node-version'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    testTimeout: 30_000,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
})
`,
})
