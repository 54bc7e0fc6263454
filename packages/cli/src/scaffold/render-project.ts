import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { listEnvVariables } from '@sibyl/core'
import { projectVariables } from '../env/command-variables.ts'
import { renderEnvExample } from '../env/render-env-example.ts'
import type { PackageSource, ProjectFacts, ProjectFile, SettingsFacts, SourceFacts } from './answers/project-facts.ts'
import { readTemplate } from './packages/template.ts'
import { renderContainer, renderGitIgnore } from './render/render-container.ts'
import { renderDeploy } from './render/render-deploy.ts'
import { renderEnvFile } from './render/render-env-file.ts'
import { renderManagerFiles, renderManifest } from './render/render-manifest.ts'
import { renderAgents, renderPluginFolder, renderReadme, renderSkillsFolder } from './render/render-readme.ts'
import { renderOracleConfig, renderTsconfig, renderVitestConfig } from './render/render-settings.ts'

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
    ...renderDeploy(facts),
    ...vendoredFiles(facts.packages),
  ]
  const paths = files.map(({ path }) => path)
  return [...files, ...renderContainer(facts, paths)]
}

const vendoredFiles = (packages: PackageSource): ProjectFile[] =>
  [...packages.values()].map(({ fileName, content }) => ({ path: `vendor/${fileName}`, content }))
